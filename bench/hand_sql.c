/* Runs a file of SQL statements through DuckDB's C API and nothing else: what a careful person would
   write by hand in place of a loader, and what makes the data.

     hand_sql [-t THREADS] [-m MEMORY] [-v] DATABASE SCRIPT

   DATABASE is a file or :memory:. A statement ends with a semicolon at the end of a line. Rows of
   queries go to standard output, columns parted by a bar. -v tells the CPU seconds of each statement
   on standard error. The exit code is 1 if anything failed. */
#define _DEFAULT_SOURCE
#include <duckdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* The format that forebay writes, so that both write the same. */
static const char *const kStorageVersion = "v1.2.0";

static double cpu_seconds(void) {
  struct rusage use;
  getrusage(RUSAGE_SELF, &use);
  return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
         (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec) / 1e6;
}

static void give_up(const char *what, const char *why) {
  fprintf(stderr, "hand_sql: %s: %s\n", what, why ? why : "unknown error");
  exit(1);
}

static char *read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) give_up(path, "cannot be opened");
  fseek(file, 0, SEEK_END);
  const size_t size = (size_t)ftell(file);
  rewind(file);
  char *text = malloc(size + 1);
  if (!text || fread(text, 1, size, file) != size) give_up(path, "cannot be read");
  text[size] = '\0';
  fclose(file);
  return text;
}

static void print_rows(duckdb_result *result) {
  const idx_t rows = duckdb_row_count(result);
  const idx_t columns = duckdb_column_count(result);
  for (idx_t row = 0; row < rows; ++row) {
    for (idx_t column = 0; column < columns; ++column) {
      char *value = duckdb_value_varchar(result, column, row);
      printf("%s%s", column ? "|" : "", value ? value : "NULL");
      duckdb_free(value);
    }
    printf("\n");
  }
}

static void run(duckdb_connection connection, const char *sql, int verbose) {
  const double before = cpu_seconds();
  duckdb_result result;
  if (duckdb_query(connection, sql, &result) == DuckDBError) {
    fprintf(stderr, "hand_sql: in: %.300s\n", sql);
    give_up("statement failed", duckdb_result_error(&result));
  }
  if (duckdb_result_return_type(result) == DUCKDB_RESULT_TYPE_QUERY_RESULT) print_rows(&result);
  duckdb_destroy_result(&result);
  if (verbose) fprintf(stderr, "%8.3f  %.100s\n", cpu_seconds() - before, sql);
}

static void run_script(duckdb_connection connection, char *text, int verbose) {
  for (char *next = text; next;) {
    char *statement = next;
    char *end = strstr(statement, ";\n");
    next = end ? end + 2 : NULL;
    if (end) *end = '\0';
    statement += strspn(statement, " \n");
    if (*statement) run(connection, statement, verbose);
  }
}

static void set(duckdb_config config, const char *name, const char *value) {
  if (value && duckdb_set_config(config, name, value) == DuckDBError) give_up(name, value);
}

int main(int count, char **arguments) {
  const char *threads = NULL;
  const char *memory = NULL;
  int verbose = 0;
  for (int option; (option = getopt(count, arguments, "t:m:v")) != -1;) {
    if (option == 't') threads = optarg;
    else if (option == 'm') memory = optarg;
    else if (option == 'v') verbose = 1;
    else return 1;
  }
  if (count - optind != 2) give_up("usage", "hand_sql [-t THREADS] [-m MEMORY] [-v] DATABASE SCRIPT");

  duckdb_config config;
  duckdb_create_config(&config);
  set(config, "threads", threads);
  set(config, "memory_limit", memory);
  set(config, "storage_compatibility_version", kStorageVersion);
  set(config, "autoinstall_known_extensions", "false");

  duckdb_database database;
  char *message = NULL;
  if (duckdb_open_ext(arguments[optind], &database, config, &message) == DuckDBError)
    give_up(arguments[optind], message);
  duckdb_destroy_config(&config);
  duckdb_connection connection;
  if (duckdb_connect(database, &connection) == DuckDBError) give_up("connect", NULL);

  char *script = read_file(arguments[optind + 1]);
  run_script(connection, script, verbose);
  free(script);

  const double before = cpu_seconds();
  duckdb_disconnect(&connection);
  duckdb_close(&database);
  if (verbose) fprintf(stderr, "%8.3f  close\n", cpu_seconds() - before);
  return 0;
}
