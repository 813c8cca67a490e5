//go:build linux

package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"brick/query"
	"brick/store"
)

// The schema is kind to SQLite: edges hold numbers of nodes, and what answers
// are ordered by is the primary key.
const sqliteSchema = `
	CREATE TABLE nodes (n INTEGER PRIMARY KEY, id TEXT NOT NULL, record BLOB NOT NULL);
	CREATE TABLE edges (rank INTEGER PRIMARY KEY, id TEXT NOT NULL, kind TEXT NOT NULL, source INTEGER NOT NULL, target INTEGER NOT NULL, record BLOB NOT NULL);`

const sqliteIndexes = `
	CREATE UNIQUE INDEX node_id ON nodes (id);
	CREATE UNIQUE INDEX edge_id ON edges (id);
	CREATE INDEX edge_source ON edges (source);
	CREATE INDEX edge_target ON edges (target);
	ANALYZE;`

const reach = `
	WITH RECURSIVE reach (n, depth) AS (
		SELECT n, 0 FROM nodes WHERE id = ?1
		UNION
		SELECT source, depth + 1 FROM reach JOIN edges ON target = reach.n
		WHERE depth < 2 AND kind IN ('calls', 'imports', 'inherits'))`

const (
	sqliteCallerFunction = `SELECT record FROM nodes WHERE id = ?1`
	sqliteCallerEdges    = `SELECT record FROM edges WHERE target = (SELECT n FROM nodes WHERE id = ?1) AND kind = 'calls' ORDER BY rank`
	sqliteImpactNodes    = reach + `
		SELECT record, min(depth) FROM reach JOIN nodes USING (n) GROUP BY n ORDER BY n`
	sqliteImpactEdges = reach + `
		SELECT record FROM edges WHERE target IN (SELECT n FROM reach WHERE depth < 2)
		AND kind IN ('calls', 'imports', 'inherits') ORDER BY rank`
)

// sqlite is a database with the graph of an index.
type sqlite struct {
	*sql.DB
	path       string
	statements map[string]*sql.Stmt
}

func (s *sqlite) remove() {
	s.Close()
	os.Remove(s.path)
}

func newSQLite(ctx context.Context, path, indexPath string) (s *sqlite, err error) {
	ix, err := store.Open(indexPath)
	if err != nil {
		return nil, err
	}
	defer ix.Close()
	db, err := sql.Open("sqlite", path+"?_pragma=journal_mode(off)&_pragma=synchronous(off)&_pragma=mmap_size(16000000000)&_pragma=cache_size(-500000)")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	s = &sqlite{db, path, map[string]*sql.Stmt{}}
	if _, err := db.ExecContext(ctx, sqliteSchema); err != nil {
		return nil, err
	}
	if err := s.fill(ctx, ix); err != nil {
		return nil, err
	}
	if _, err := db.ExecContext(ctx, sqliteIndexes); err != nil {
		return nil, err
	}
	for _, text := range []string{sqliteCallerFunction, sqliteCallerEdges, sqliteImpactNodes, sqliteImpactEdges} {
		if s.statements[text], err = db.PrepareContext(ctx, text); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (s *sqlite) fill(ctx context.Context, ix *store.Index) error {
	v := ix.View()
	defer v.Release()
	tx, err := s.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	addNode, err := tx.Prepare(`INSERT INTO nodes VALUES (?, ?, ?)`)
	if err != nil {
		return err
	}
	addEdge, err := tx.Prepare(`INSERT INTO edges VALUES (?, ?, ?, ?, ?, ?)`)
	if err != nil {
		return err
	}
	var r struct{ ID, Kind string }
	for n := range uint32(ix.Manifest.Nodes) {
		record, err := v.AppendNode(nil, n)
		if err == nil {
			err = json.Unmarshal(record, &r)
		}
		if err == nil {
			_, err = addNode.Exec(n, r.ID, record)
		}
		if err != nil {
			return err
		}
	}
	for e := range uint32(ix.Manifest.Edges) {
		row, err := v.EdgeRow(e)
		if err != nil {
			return err
		}
		record, err := v.AppendEdge(nil, e)
		if err == nil {
			err = json.Unmarshal(record, &r)
		}
		if err == nil {
			_, err = addEdge.Exec(row.Rank, r.ID, r.Kind, row.Source, row.Target, record)
		}
		if err != nil {
			return err
		}
	}
	return tx.Commit()
}

// records reads the first column of all rows that a statement gives for an id.
func (s *sqlite) records(statement, id string) (count, size int, err error) {
	rows, err := s.statements[statement].Query(id)
	if err != nil {
		return 0, 0, err
	}
	defer rows.Close()
	var record sql.RawBytes
	columns, err := rows.Columns()
	if err != nil {
		return 0, 0, err
	}
	var depth int
	for rows.Next() {
		if len(columns) > 1 {
			err = rows.Scan(&record, &depth)
		} else {
			err = rows.Scan(&record)
		}
		if err != nil {
			return 0, 0, err
		}
		count++
		size += len(record)
	}
	return count, size, rows.Err()
}

// sqliteCallers is the median microseconds of callers of the same functions,
// warm, as fewCallers.
func sqliteCallers(b *bench, s *sample) (float64, error) {
	db, err := newSQLite(b.ctx, b.file("callers.sqlite"), s.index)
	if err != nil {
		return 0, err
	}
	defer db.remove()
	var times []float64
	for range 2 {
		times = times[:0]
		for _, id := range s.picks.few {
			begin := time.Now()
			_, _, err := db.records(sqliteCallerFunction, id)
			n, _, err2 := db.records(sqliteCallerEdges, id)
			times = append(times, microseconds(time.Since(begin)))
			if err := errors.Join(err, err2); err != nil {
				return 0, err
			}
			if n < fewest || n > most {
				return 0, fmt.Errorf("SQLite finds %d callers of %s", n, id)
			}
		}
	}
	return median(times), nil
}

// sqliteImpact is the depth-2 impact of the published graph's hub, in process.
func sqliteImpact(b *bench) (row result, err error) {
	s, err := b.sample(b.published, 1)
	if err != nil {
		return row, err
	}
	db, err := newSQLite(b.ctx, b.file("impact.sqlite"), s.index)
	if err != nil {
		return row, err
	}
	defer db.remove()
	ix, err := store.Open(s.index)
	if err != nil {
		return row, err
	}
	defer ix.Close()
	var p pairs
	for range b.runs + 1 {
		answer, took, err := ask(b.ctx, ix, "brick_impact", query.Arguments{"node_id": s.picks.hub, "direction": "dependents", "max_depth": int64(2)})
		if err != nil {
			return row, err
		}
		begin := time.Now()
		nodes, nodeBytes, err := db.records(sqliteImpactNodes, s.picks.hub)
		_, edgeBytes, err2 := db.records(sqliteImpactEdges, s.picks.hub)
		theirs := time.Since(begin)
		if err := errors.Join(err, err2); err != nil {
			return row, err
		}
		p.add(milliseconds(took), milliseconds(theirs))
		if len(answer) < nodeBytes+edgeBytes {
			return row, fmt.Errorf("SQLite finds %d bytes of records, the index an answer of %d", nodeBytes+edgeBytes, len(answer))
		}
		row.what = fmt.Sprintf("impact of depth 2 of a hub, %d nodes, in process", nodes-1)
	}
	p.ours, p.peer = p.ours[1:], p.peer[1:] // the first ones read from the disk
	row.figure, row.peer, row.value = spread(p.ours, "ms"), "SQLite "+spread(p.peer, "ms"), p.ratio()
	return row, nil
}
