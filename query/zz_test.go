package query_test
import ("testing";"context";"brick/store";"brick/query";"os";"fmt";"encoding/json")
func BenchmarkZ(b *testing.B){
 ix,err:=store.Open(os.Getenv("IDX")); if err!=nil{b.Fatal(err)}
 ids:=[]string{}
 v:=ix.View()
 for i:=0;i<ix.Manifest.Nodes && len(ids)<2000;i+=ix.Manifest.Nodes/20000+1 { r,_:=v.NodeRow(uint32(i)); if n:=r.InCalls-r.In; r.Function!=store.NoFunction && n>=1&&n<=5 { l,_:=v.AppendNodeID(nil,uint32(i)); var s string; json.Unmarshal(l,&s); ids=append(ids,s)}}
 fmt.Println(len(ids))
 t:=query.Lookup("brick_callers"); im:=query.Lookup("brick_impact")
 b.Run("callers",func(b *testing.B){ b.ReportAllocs(); for i:=0;i<b.N;i++{ if _,err:=t.Answer(context.Background(),ix,query.Arguments{"node_id":ids[i%len(ids)]});err!=nil{b.Fatal(err)}}})
 b.Run("impact2",func(b *testing.B){ b.ReportAllocs(); for i:=0;i<b.N;i++{ if _,err:=im.Answer(context.Background(),ix,query.Arguments{"node_id":ids[i%len(ids)],"direction":"dependents","max_depth":int64(2)});err!=nil{b.Fatal(err)}}})
 b.Run("open",func(b *testing.B){ for i:=0;i<b.N;i++{ x,err:=store.Open(os.Getenv("IDX")); if err!=nil{b.Fatal(err)}; x.Close()}})
}
