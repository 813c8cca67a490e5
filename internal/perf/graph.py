# Times python-igraph's C code on a graph of "source target" lines: for each
# line on standard input, prints the seconds that strongly connected components
# and bridges took, and how many bridges there are.
import sys, time
import igraph

graph = igraph.Graph.Read_Edgelist(sys.argv[1], directed=True)
print(igraph.__version__, flush=True)
for line in sys.stdin:
    start = time.perf_counter()
    components = graph.components(mode="strong")
    bridges = graph.bridges()
    seconds = time.perf_counter() - start
    print(seconds, len(bridges), flush=True)
