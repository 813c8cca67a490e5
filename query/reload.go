package query

import (
	"bytes"
	"encoding/hex"
)

var reload = &Tool{
	Name:  "brick_reload",
	Title: "Look for a new index now",
	Description: "Looks now whether the index file was replaced, and says which index answered before and which answers from here on. " +
		"The server does so by itself at each question; use it after a build, to be sure that answers are about the new state. " +
		"It changes nothing on disk. Cursors of the old index end with it.",
	OutputSchema: schema("reload"),
	run: func(q *question, _ Arguments) error {
		now, before := IdentityOf(q.ix), q.options.Before
		q.key("replaced")
		q.boolean(before != nil && !bytes.Equal(before.Index, now.Index))
		digest := func(name string, d []byte) {
			q.key(name)
			if d == nil {
				q.null()
				return
			}
			q.text(hex.EncodeToString(d))
		}
		if before == nil {
			before = &Identity{}
		}
		digest("old_index_digest", before.Index)
		digest("new_index_digest", now.Index)
		digest("old_model_digest", before.Model)
		digest("new_model_digest", now.Model)
		return nil
	},
}
