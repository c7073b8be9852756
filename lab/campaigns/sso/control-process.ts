// Runs a small campaign without one check: its source is changed while it is loaded.
import { registerHooks } from 'node:module'
import type { Control } from './controls.ts'

const [control = '', seed = '1'] = process.argv.slice(2)
const {
  file,
  change: [from, to],
} = JSON.parse(control) as Control
const changed: string[] = []
registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    if (!url.endsWith(file)) return loaded
    const source = Buffer.from(loaded.source as Uint8Array).toString()
    if (source.includes(from)) changed.push(url)
    return { ...loaded, source: source.replace(from, to) }
  },
})
const { runSsoCampaign } = await import('./campaign.ts')
const { violations } = await runSsoCampaign({ attempts: 170, seed: Number(seed) })
if (changed.length === 0) throw new Error(`${file} does not read ${from}`)
console.log(JSON.stringify({ violations }))
