# Compiles tables/*.txt (short form) to table/*.jsonl. One line an entry; `@base DIR` sets a prefix for paths.
import json,os,re,sys
here=os.path.dirname(os.path.abspath(__file__))
os.makedirs(os.path.join(here,'table'),exist_ok=True)
for n in sorted(os.listdir(os.path.join(here,'tables'))):
    base='';out=[]
    def p(x): return (base+'/'+x if base and not x.startswith('/') else x.lstrip('/'))
    for i,l in enumerate(open(os.path.join(here,'tables',n)),1):
        l=l.rstrip('\n')
        if not l.strip() or l.startswith('#'): continue
        if l.startswith('@base'): base=l[5:].strip(); continue
        if l.startswith('T\t'):
            _,g,f,t=l.split('\t'); out.append(dict(kind='text',globs=[p(x) for x in g.split(',')],find=f,to=t)); continue
        if l.startswith('C\t'):
            _,g,f,t=l.split('\t'); out.append(dict(kind='text',globs=[p(x) for x in g.split(',')],find=f,to=t,prose=True)); continue
        a=l.split()
        k=a[0]
        try:
            if k=='S': out.append(dict(kind='symbol',file=p(a[1]),name=a[2],to=a[3]))
            elif k=='N': c,m=a[2].rsplit('.',1); out.append({'kind':'symbol','file':p(a[1]),'in':c,'name':m,'to':a[3]})
            elif k=='P': c,m=a[2].rsplit('.',1); out.append({'kind':'property','file':p(a[1]),'in':c,'name':m,'to':a[3]})
            elif k=='L': out.append(dict(kind='locals',file=p(a[1]),name=a[2],to=a[3]))
            elif k=='Y': out.append({'kind':'locals','file':p(a[1]),'name':a[2],'to':a[3],'type':' '.join(a[4:])})
            elif k=='B':
                out.append({'kind':'property','file':p(a[1]),'in':'*','name':a[2],'to':a[3]}); out.append(dict(kind='locals',file=p(a[1]),name=a[2],to=a[3]))
            elif k=='F': out.append({'kind':'file','from':p(a[1]),'to':p(a[2])})
            elif k=='D': out.append({'kind':'folder','from':p(a[1]),'to':p(a[2])})
            else: raise ValueError(k)
        except Exception as e: print(n,i,l,e); sys.exit(1)
    seen=set(); u=[]
    for o in out:
        s=json.dumps(o,ensure_ascii=False)
        if s not in seen: seen.add(s); u.append(s)
    open(os.path.join(here,'table',n[:-4]+'.jsonl'),'w').write('\n'.join(u)+'\n')
    print(n,len(u))
