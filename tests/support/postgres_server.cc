#include "support/postgres_server.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pwd.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "base/check.h"
#include "support/run_program.h"

namespace forebay::test {
namespace {

constexpr const char* kPrograms = "/usr/lib/postgresql/15/bin";
constexpr const char* kUser = "tests";  // in the database

std::string program(const char* name) { return fmt::format("{}/{}", kPrograms, name); }

// As the package's user where this is root; it dies with its parent all the same.
std::vector<std::string> as_plain_user(std::vector<std::string> command) {
  if (::geteuid() != 0) return command;
  std::vector<std::string> whole = {"/usr/bin/setpriv", "--reuid=postgres", "--regid=postgres",
                                    "--init-groups", "--pdeathsig=SIGKILL"};
  whole.insert(whole.end(), command.begin(), command.end());
  return whole;
}

void run_to_end(std::vector<std::string> command) {
  command = as_plain_user(std::move(command));
  const std::string name = command.front();
  command.erase(command.begin());
  const ProgramResult result =
      run_program(name, command, {.folder = "/", .environment = {{"LC_ALL", "C.UTF-8"}}});
  if (result.code == 0) return;
  std::fprintf(stderr, "%s %s ended with %d:\n%s%s\n", name.c_str(),
               fmt::format("{}", fmt::join(command, " ")).c_str(), result.code, result.out.c_str(),
               result.err.c_str());
  std::_Exit(1);
}

// The cluster's folder, which its user owns.
std::string make_folder(const TempFolder& folder) {
  const std::string data = folder / "data";
  std::filesystem::create_directories(data);
  if (::geteuid() != 0) return data;
  const passwd* user = ::getpwnam("postgres");
  CHECK(user != nullptr);
  for (const std::string& path : {folder.path(), data})
    CHECK(::chown(path.c_str(), user->pw_uid, user->pw_gid) == 0);
  return data;
}

}  // namespace

PostgresServer::PostgresServer() : port_(free_ports(1).front()) {
  const std::string data = make_folder(folder_);
  run_to_end({program("initdb"), "--pgdata=" + data, std::string("--username=") + kUser,
              "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C"});
  process_.emplace(
      as_plain_user({program("postgres"), "-D", data, "-p", fmt::format("{}", port_), "-c",
                     "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=", "-c",
                     "wal_level=logical", "-c", "fsync=off", "-c", "shared_buffers=16MB", "-c",
                     "timezone=UTC", "-c", "autovacuum=off"}),
      folder_ / "log");
  process_->wait_until([&] {
    return run_program(program("pg_isready"),
                       {"-q", "-h", "127.0.0.1", "-p", fmt::format("{}", port_)})
               .code == 0;
  });
}

// A server that is only killed would leave its shared memory behind.
PostgresServer::~PostgresServer() {
  run_to_end({program("pg_ctl"), "stop", "-s", "-m", "immediate", "-D", folder_ / "data"});
}

std::string PostgresServer::ask(const std::string& database, const std::string& sql) {
  const ProgramResult result =
      run_program(program("psql"),
                  {"-qXAt", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1", "-p",
                   fmt::format("{}", port_), "-U", kUser, "-d", database, "-c", sql},
                  {.folder = "/", .environment = {{"PGCLIENTENCODING", "UTF8"}}});
  if (result.code != 0) {
    std::fprintf(stderr, "psql ended with %d:\n%s\n%s\n", result.code, sql.c_str(),
                 result.err.c_str());
    std::_Exit(1);
  }
  return result.out;
}

std::string PostgresServer::create_database(const std::string& name) {
  ask("postgres", "CREATE DATABASE " + name);
  return fmt::format("postgresql://{}@127.0.0.1:{}/{}", kUser, port_, name);
}

void PostgresServer::run(const std::string& database, const std::string& sql) {
  ask(database, sql);
}

std::vector<PostgresServer::Row> PostgresServer::rows(const std::string& database,
                                                      const std::vector<std::string>& columns,
                                                      const std::string& from) {
  std::istringstream lines(ask(database, fmt::format("SELECT json_build_array({})::text FROM {}",
                                                     fmt::join(columns, ", "), from)));
  std::vector<Row> rows;
  std::string line;
  while (std::getline(lines, line)) {
    Row& row = rows.emplace_back();
    for (const auto& cell : nlohmann::json::parse(line)) {
      row.emplace_back();
      if (!cell.is_null()) row.back() = cell.get<std::string>();
    }
  }
  return rows;
}

PostgresServer& postgres() {
  static PostgresServer server;
  return server;
}

}  // namespace forebay::test
