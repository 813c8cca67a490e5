// What the Go side calls: one parser, one tree at a time, and the tree as an
// array. treesitter.go has the other side of each function.
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <tree_sitter/api.h>

#define EXPORT(name) __attribute__((export_name(name)))

const TSLanguage *LANGUAGE(void);

// A node, in the order in which a walk from the root meets it. Nodes without a
// name of their own, as "(" and "def", are only there when they have a field.
typedef struct {
  uint16_t kind;   // the symbol
  uint8_t field;   // in the parent; 0 for none
  uint8_t flags;   // FLAG_…
  uint32_t start;  // in bytes
  uint32_t end;    // in bytes, the byte after the last
  uint32_t next;   // index of the first node after this one's descendants
  uint32_t parent; // index; of the root 0
} Node;

enum { FLAG_NAMED = 1, FLAG_ERROR = 2, FLAG_MISSING = 4, FLAG_EXTRA = 8 };
enum { OK = 0, OVER_WORK = 1, OVER_NODES = 2, OVER_DEPTH = 3, NO_MEMORY = 4 };

static TSParser *parser;
static char *text;
static uint32_t text_size;
static Node *nodes;
static uint32_t nodes_size, count, faults;
static uint32_t *path; // the nodes of the array that are open
static uint32_t path_size;
static uint64_t work, max_work;

// buffer is where the text goes that parse reads: at least size bytes.
EXPORT("buffer") char *buffer(uint32_t size) {
  if (size > text_size) {
    free(text);
    text = malloc(size);
    text_size = text ? size : 0;
  }
  return text;
}

// stop says that the caller no longer waits.
__attribute__((import_module("brick"), import_name("stop"))) uint32_t stop(void);

// Called once in a hundred steps of the parser: counting them bounds the work
// in the same way on each machine.
static bool over_work(TSParseState *state) {
  (void)state;
  return ++work > max_work || stop();
}

typedef struct { uint32_t size; } Text;

static const char *read_text(void *payload, uint32_t byte, TSPoint at, uint32_t *read) {
  (void)at;
  uint32_t size = ((Text *)payload)->size;
  *read = byte < size ? size - byte : 0;
  return text + (byte < size ? byte : 0);
}

static bool append(TSNode n, uint8_t field, uint32_t parent) {
  if (count == nodes_size) {
    uint32_t size = nodes_size ? nodes_size * 2 : 1 << 14;
    Node *more = realloc(nodes, (size_t)size * sizeof(Node));
    if (!more) return false;
    nodes = more;
    nodes_size = size;
  }
  uint8_t flags = ts_node_is_named(n) ? FLAG_NAMED : 0;
  if (ts_node_is_error(n)) flags |= FLAG_ERROR;
  if (ts_node_is_missing(n)) flags |= FLAG_MISSING;
  if (ts_node_is_extra(n)) flags |= FLAG_EXTRA;
  if (flags & (FLAG_ERROR | FLAG_MISSING)) faults++;
  nodes[count++] = (Node){ts_node_symbol(n), field, flags, ts_node_start_byte(n), ts_node_end_byte(n), 0, parent};
  return true;
}

// list writes the tree to nodes.
static uint32_t list(TSTree *tree, uint32_t max_nodes, uint32_t max_depth) {
  TSTreeCursor cursor = ts_tree_cursor_new(ts_tree_root_node(tree));
  uint32_t depth = 0; // of the cursor
  uint32_t status = OK;
  const uint32_t none = UINT32_MAX; // stands in path for a node that was left out
  for (;;) {
    if (depth >= max_depth) { status = OVER_DEPTH; break; }
    if (depth >= path_size) {
      uint32_t size = path_size ? path_size * 2 : 256;
      uint32_t *more = realloc(path, size * sizeof(uint32_t));
      if (!more) { status = NO_MEMORY; break; }
      path = more;
      path_size = size;
    }
    TSNode n = ts_tree_cursor_current_node(&cursor);
    uint8_t field = ts_tree_cursor_current_field_id(&cursor);
    path[depth] = none;
    if (depth == 0 || field || ts_node_is_named(n) || ts_node_is_missing(n)) {
      uint32_t parent = 0;
      for (uint32_t d = depth; d > 0; d--) {
        if (path[d - 1] != none) { parent = path[d - 1]; break; }
      }
      if (count >= max_nodes) { status = OVER_NODES; break; }
      path[depth] = count;
      if (!append(n, field, parent)) { status = NO_MEMORY; break; }
    }
    if (ts_tree_cursor_goto_first_child(&cursor)) { depth++; continue; }
    for (;;) {
      if (path[depth] != none) nodes[path[depth]].next = count;
      if (depth == 0) goto done;
      if (ts_tree_cursor_goto_next_sibling(&cursor)) break;
      ts_tree_cursor_goto_parent(&cursor);
      depth--;
    }
  }
done:
  ts_tree_cursor_delete(&cursor);
  return status;
}

// parse parses the first size bytes of buffer. The array is there until the
// next call.
EXPORT("parse") uint32_t parse(uint32_t size, uint32_t work_bound, uint32_t max_nodes, uint32_t max_depth) {
  if (!parser) {
    parser = ts_parser_new();
    ts_parser_set_language(parser, LANGUAGE());
  }
  ts_parser_reset(parser);
  count = faults = 0;
  work = 0;
  max_work = work_bound;
  Text payload = {size};
  TSInput input = {.payload = &payload, .read = read_text, .encoding = TSInputEncodingUTF8};
  TSParseOptions options = {.payload = NULL, .progress_callback = over_work};
  TSTree *tree = ts_parser_parse_with_options(parser, NULL, input, options);
  if (!tree) return OVER_WORK;
  uint32_t status = list(tree, max_nodes, max_depth);
  ts_tree_delete(tree);
  return status;
}

EXPORT("nodes") Node *result(void) { return nodes; }
EXPORT("count") uint32_t result_count(void) { return count; }
EXPORT("faults") uint32_t result_faults(void) { return faults; }

EXPORT("kinds") uint32_t kinds(void) { return ts_language_symbol_count(LANGUAGE()); }
EXPORT("kind") const char *kind(uint32_t i) { return ts_language_symbol_name(LANGUAGE(), i); }
EXPORT("named") uint32_t named(uint32_t i) { return ts_language_symbol_type(LANGUAGE(), i) == TSSymbolTypeRegular; }
EXPORT("fields") uint32_t fields(void) { return ts_language_field_count(LANGUAGE()); }
EXPORT("field") const char *field(uint32_t i) { return ts_language_field_name_for_id(LANGUAGE(), i); }
