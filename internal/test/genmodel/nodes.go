package genmodel

import (
	"fmt"
	"strconv"
)

const module = "example.org/harbour"

// Words that ids are made of.
var (
	packageWords = []string{
		"admission", "api", "apis", "audit", "auth", "autoscaling", "batch", "binding", "cache", "certificates",
		"client", "cloud", "cluster", "config", "container", "controller", "core", "daemon", "deployment", "discovery",
		"endpoint", "events", "features", "flowcontrol", "framework", "garbage", "generated", "healthcheck", "history", "images",
		"install", "internal", "job", "kubelet", "lifecycle", "logs", "metrics", "namespace", "network", "node",
		"options", "plugins", "pod", "policy", "printers", "probe", "proxy", "quota", "registry", "replication",
		"resource", "routes", "runtime", "scheduler", "security", "server", "service", "stats", "storage", "token",
		"topology", "types", "validation", "volume",
	}
	verbs   = []string{"New", "Validate", "Convert", "Set", "get", "is", "Register", "update", "Sync", "Delete", "build", "With"}
	nouns   = []string{"PodSpec", "NodeStatus", "ResourceClaim", "VolumeMount", "EndpointSlice", "Defaults", "Conversions", "ServiceAccount", "Options", "REST", "PriorityClassList", "Handler", "Strategy"}
	methods = []string{
		"String", "Error", "DeepCopyInto", "DeepCopy", "Run", "Name", "Start", "Stop", "Get", "List",
		"Create", "Update", "Delete", "Validate", "PrepareForCreate", "PrepareForUpdate", "NamespaceScoped", "WarningsOnCreate", "Less", "Len",
		"Swap", "Close", "Handle", "Sync", "AddFlags", "ApplyTo", "Preempt", "SetUp", "TearDown", "CanMount",
	}
	files = []string{"types", "controller", "zz_generated.deepcopy", "strategy", "helpers", "validation", "storage", "doc", "options", "plugin"}
)

func word(list []string, i int) string { return list[i%len(list)] }

// fileOf is the file of a function, and the function's place in it.
func fileOf(function int) (file, place int) {
	file, place = function/functionsOfCycle*fileCycle, function%functionsOfCycle
	for _, size := range filesOfCycle {
		if place < size {
			break
		}
		place -= size
		file++
	}
	return file, place
}

// packagePath is the path of a module below the repository's own.
func packagePath(n int) string {
	path := ""
	for first := true; first || n > 0; first = false {
		path = "/" + word(packageWords, n) + path
		if n /= len(packageWords); first {
			path = "/" + word(packageWords, n) + path
			n /= len(packageWords)
		}
	}
	return "pkg" + path
}

func moduleID(n int) string   { return "go:package:" + module + "/" + packagePath(n) }
func externalID(n int) string { return "go:package:vendor.example.com/" + packagePath(n) }
func fileID(n int) string     { return "go:file:" + filePath(n) }
func typeID(n int) string     { return "go:type:" + typeName(n) }

// packageID is the id of one of all modules, those of others included. The
// ones that most files import are others'.
func (g *generator) packageID(n int) string {
	if n < g.externals {
		return externalID(n)
	}
	return moduleID(n - g.externals)
}

func filePath(n int) string {
	return packagePath(n/filesPerModule) + "/" + word(files, n) + strconv.Itoa(n%filesPerModule) + ".go"
}

func typeName(file int) string {
	return module + "/" + packagePath(file/filesPerModule) + "." + word(nouns, file) + strconv.Itoa(file%filesPerModule)
}

// isMethod says what a function is: a method of its file's type, or a function
// of its file's module.
func isMethod(n int) bool { return n%9 >= 5 }

// function is the qualified name and the name of a function. Functions' names
// are their own, methods' names are many methods'.
func function(n int) (qualified, name string) {
	if n == 0 {
		return Hub[len("go:"):], "Infof"
	}
	file, place := fileOf(n)
	if isMethod(n) {
		name = word(methods, place)
		if place >= len(methods) {
			name += strconv.Itoa(place)
		}
		return "(*" + typeName(file) + ")." + name, name
	}
	name = word(verbs, n) + word(nouns, n/len(verbs)) + strconv.Itoa(n)
	return module + "/" + packagePath(file/filesPerModule) + "." + name, name
}

func functionID(n int) string {
	qualified, _ := function(n)
	return "go:" + qualified
}

// symbol is the name of an unresolved symbol: the method names first, then in
// turns a function's name, and one that no function has.
func symbol(n int) string {
	if n < len(methods) {
		return methods[n]
	}
	n -= len(methods)
	if n%2 == 0 {
		_, name := function(n/2/5*9 + n/2%5)
		return name
	}
	return word(verbs, n) + "Foreign" + strconv.Itoa(n)
}

func symbolID(n int) string { return "go:unresolved:" + symbol(n) }

func (g *generator) header() {
	sites := g.calls + g.unresolved
	g.out.printf(`{"schema_version":4,"generator":{"name":"genmodel","version":"1"},"root":".","repositories":[{"id":"repo:harbour"}],`+
		`"scope":{"languages":["go"],"patterns":["./..."],"tests":false},`+
		`"metrics":{"resolution":{"go":{"call_sites":%d,"resolved":%d,"unresolved":%d}}},`+"\n", sites, g.calls, g.unresolved)
}

// record begins the next record of the array.
func (g *generator) record(format string, values ...any) {
	if g.written++; g.written > 1 {
		g.out.printf(",\n")
	}
	g.out.printf(format, values...)
}

func (g *generator) nodeRecords() {
	g.out.printf("\"nodes\":[\n")
	g.record(`{"attributes":{},"id":"repo","kind":"repository","name":"repo:harbour"}`)
	for n := range g.modules {
		g.packageNode(moduleID(n), "module", n)
	}
	for n := range g.externals {
		g.packageNode(externalID(n), "external", n)
	}
	for n := range g.files {
		g.file(n)
	}
	for n := range g.functions {
		g.function(n)
	}
	for n := range g.symbols {
		g.record(`{"id":"%s","kind":"unresolved_symbol","language":"go","name":"%s"}`, symbolID(n), symbol(n))
	}
	g.out.printf("\n],\n")
}

func (g *generator) packageNode(id, kind string, n int) {
	g.record(`{"attributes":{},"id":"%s","kind":"%s","language":"go","name":"%s","qualified_name":"%s"}`,
		id, kind, word(packageWords, n), id[len("go:package:"):])
}

// file writes a file, and its type.
func (g *generator) file(n int) {
	lines, path := 20+g.random.IntN(1500), filePath(n)
	incomplete := ""
	if g.random.IntN(3) == 0 {
		incomplete = fmt.Sprintf(`,"source.parse-incomplete":"%d package errors"`, 1+g.random.IntN(90))
	}
	g.record(`{"attributes":{"metrics.lines":%d%s},"id":"%s","kind":"file","language":"go","name":"%s%d.go","path":"%s"}`,
		lines, incomplete, fileID(n), word(files, n), n%filesPerModule, path)
	kind := "class"
	if n%9 == 0 {
		kind = "interface"
	}
	g.record(`{"attributes":{"source.exported":true},"id":"%s","kind":"%s","language":"go","name":"%s%d","path":"%s","qualified_name":"%s",`+
		`"span":{"end_column":2,"end_line":%d,"start_column":6,"start_line":12}}`,
		typeID(n), kind, word(nouns, n), n%filesPerModule, path, typeName(n), 13+g.random.IntN(40))
}

func (g *generator) function(n int) {
	qualified, name := function(n)
	kind := "function"
	if isMethod(n) {
		kind = "method"
	}
	file, place := fileOf(n)
	lines := 1 + g.random.IntN(12)<<g.random.IntN(5)
	start := 60 + 40*place
	flags := ""
	if name[0] < 'a' {
		flags = `,"source.exported":true`
	}
	if g.random.IntN(40) == 0 {
		flags += `,"source.implicit-invocation":"init"`
	}
	g.record(`{"attributes":{"metrics.cyclomatic":%d,"metrics.lines":%d,"metrics.nesting":%d,"metrics.parameters":%d%s},"id":"go:%s","kind":"%s","language":"go","name":"%s","path":"%s","qualified_name":"%s",`+
		`"span":{"end_column":2,"end_line":%d,"start_column":1,"start_line":%d}}`,
		1+lines/5, lines, g.random.IntN(5), g.random.IntN(6), flags, qualified, kind, name, filePath(file), qualified, start+lines-1, start)
}
