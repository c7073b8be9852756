// Measures the built server and other services beside it, which the reader has started as bench/peers/README.md tells.
//
//   npm run bench peers -- --enclosed http://127.0.0.1:8787 --privatebin http://127.0.0.1:8081
//
//   --write (into lab/performance.md instead of printing)   --rounds N   --millis N   --smoke (a few seconds, prints no figures)
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { optionsFrom } from '../campaigns/support/command.ts'
import { startGenerator } from './load/load.ts'
import { loopbackPort } from './peers/address.ts'
import { prepareEnclosed } from './peers/enclosed.ts'
import { measurePeers, type PeersMeasured } from './peers/measure.ts'
import { preparePrivateBin } from './peers/privatebin.ts'
import type { Service } from './peers/service.ts'
import { sottoService } from './peers/sotto.ts'
import { buildServer } from './processes/build.ts'
import { startServer } from './processes/servers.ts'
import { machine } from './report/machine.ts'
import { loadOptions, say } from './report/options.ts'
import { peersReportOf } from './report/peers-tables.ts'
import { writePeersReport } from './report/write.ts'
import { makeStore } from './stores/store.ts'

const options = optionsFrom({ ...loadOptions(), enclosed: '', privatebin: '', write: false })
const { smoke, rounds, millis, write } = options

const ports = { enclosed: portOf('enclosed'), privatebin: portOf('privatebin') }
if (write && (ports.enclosed === undefined || ports.privatebin === undefined))
  refuse('--write needs both --enclosed and --privatebin')
buildServer()
const before = loadavg()[0] ?? NaN
const measured = await measureAll()
const date = new Date().toISOString().slice(0, 10)
const run = {
  machine: machine(),
  date,
  rounds,
  millis,
  loads: [before, loadavg()[0] ?? NaN],
  measured,
} as const
if (smoke) say('everything runs')
else if (write) writePeersReport(run)
else console.log(peersReportOf(run))

async function measureAll(): Promise<PeersMeasured[]> {
  const directory = mkdtempSync(join(tmpdir(), 'sotto-bench-peers-'))
  try {
    const peers: Service[] = []
    say('storing notes')
    if (ports.enclosed !== undefined) peers.push(await prepareEnclosed(ports.enclosed))
    if (ports.privatebin !== undefined) peers.push(await preparePrivateBin(ports.privatebin))
    const store = await makeStore({ directory, secrets: 0, lists: [] })
    const server = await startServer({ directory, freeOfQuota: true })
    const generator = startGenerator()
    try {
      return await measurePeers([sottoService(server, store), ...peers], { generator, rounds, millis, say })
    } finally {
      generator.stop()
      await server.stop()
    }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

function portOf(name: 'enclosed' | 'privatebin'): number | undefined {
  const address = options[name]
  if (address === '') return undefined
  return (
    loopbackPort(address) ??
    refuse(`--${name} takes an address on this machine, such as http://127.0.0.1:8787, not ${address}`)
  )
}

function refuse(reason: string): never {
  say(reason)
  process.exit(1)
}
