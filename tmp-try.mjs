import { instrument } from './scripts/campaigns/mutation/instrument.ts'
import { readFileSync, globSync } from 'node:fs'
let n=0
for (const f of process.argv[2] ? [process.argv[2]] : globSync(['packages/{core,adapter-node-crypto}/src/**/*.ts','packages/adapter-sqlite/src/{file/group-commit,stores/quota}.ts'])) { const r = instrument(f, readFileSync(f,'utf8'), n); n+=r.mutants.length; if (process.argv[2]) {console.log(r.code); for (const m of r.mutants) console.log(m.id,m.line,m.scope,m.name)} else if (r.mutants.length>60) console.log(f, r.mutants.length) }
console.log(n)
