// Runs a campaign or a bench by its name: `npm run campaign NAME [-- OPTIONS]`, `npm run bench NAME [-- OPTIONS]`. Without a name it lists
// those that there are.
import { globSync } from 'node:fs'
import { resolve } from 'node:path'

const patterns: Readonly<Record<string, string>> = { campaign: 'campaigns/*/main.ts', bench: 'bench/*.ts' }

const [kind = '', name = '', ...args] = process.argv.slice(2).filter((argument) => argument !== '--')
const files = globSync(patterns[kind] ?? [], { cwd: import.meta.dirname })
const named = new Map(files.sort().map((file) => [file.split(/[/.]/)[1], resolve(import.meta.dirname, file)]))
const program = named.get(name)
if (program === undefined) {
  if (name !== '') console.error(`there is no ${kind} ${name}`)
  console.error(`usage: npm run ${kind} NAME [-- OPTIONS]; lab/README.md says what each does`)
  console.error([...named.keys()].map((each) => `  ${each}`).join('\n'))
  process.exitCode = 2
} else {
  process.argv.splice(1, Infinity, program, ...args)
  await import(program)
}
