#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "support/server_process.h"
#include "support/temp_folder.h"

namespace forebay::test {

// Debian's PostgreSQL 15 on a port of loopback, with a database cluster of its own that goes with
// this object. It refuses to run as root, so root starts it as the package's user.
class PostgresServer {
 public:
  PostgresServer();
  ~PostgresServer();

  // Makes an empty database, and gives the URL under which it is reached.
  std::string create_database(const std::string& name);

  using Row = std::vector<std::optional<std::string>>;
  // Runs statements, all in one transaction. Ends the test process when one fails.
  void run(const std::string& database, const std::string& sql);
  // A query's rows; `columns` are expressions of type text.
  std::vector<Row> rows(const std::string& database, const std::vector<std::string>& columns,
                        const std::string& from);

 private:
  std::string ask(const std::string& database, const std::string& sql);

  TempFolder folder_;
  std::uint16_t port_;
  std::optional<ServerProcess> process_;
};

// One for all tests of a process, started when it is asked for first.
PostgresServer& postgres();

}  // namespace forebay::test
