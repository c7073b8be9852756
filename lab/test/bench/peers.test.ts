import t, { type Test } from 'tap'
import { startGenerator } from '../../bench/load/load.ts'
import { loopbackPort } from '../../bench/peers/address.ts'
import { prepareEnclosed } from '../../bench/peers/enclosed.ts'
import { measurePeers } from '../../bench/peers/measure.ts'
import { preparePrivateBin } from '../../bench/peers/privatebin.ts'
import type { Service } from '../../bench/peers/service.ts'
import { peersReportOf } from '../../bench/report/peers-tables.ts'
import { startFakeEnclosed, startFakePrivateBin, type Spoil } from './support/fake-peers.ts'

const notes = 3
const preparing = 2 * notes // each note is stored and read back

t.test('measures creates and opens of every service, and reports what each one does', async (t) => {
  const measured = await measure(t, [
    await prepareEnclosed(await startFakeEnclosed(t), notes),
    await preparePrivateBin(await startFakePrivateBin(t), notes),
  ])
  t.strictSame(
    measured.map(({ name, subject, connections }) => `${name} ${subject} ${connections}`),
    [
      ...['create enclosed 1', 'create enclosed 64', 'create privatebin 1', 'create privatebin 64'],
      ...['open enclosed 1', 'open enclosed 64', 'open privatebin 1', 'open privatebin 64'],
    ],
  )
  for (const { rate, p50, p99 } of measured) t.ok(rate > 0 && p50 > 0 && p99 >= p50)

  const report = peersReportOf({ ...run, measured })
  t.match(report, /\| create, PrivateBin \| 64 \| [\d,]+ \| [\d.]+ \| [\d.]+ \| no \| no \|/)
  t.match(report, /\| encrypts \| in the browser, not measured \| in the browser, not measured \|/)
  t.match(report, /Sotto was not measured/)
  t.notMatch(report, /Enclosed was not measured/)
})

t.test('a report names the services that were left out, and what starts them', async (t) => {
  const report = peersReportOf({ ...run, measured: [] })
  t.match(report, /PrivateBin was not measured: bench\/peers\/README\.md .* `--privatebin ADDRESS`/)
  t.match(report, /Enclosed was not measured: bench\/peers\/README\.md .* `--enclosed ADDRESS`/)
})

t.test('a report says when other programs used the processor of Sotto', async (t) => {
  const opens = { name: 'open', title: 'open', subject: 'sotto', connections: 64 } as const
  const report = (busy: number) =>
    peersReportOf({ ...run, measured: [{ ...opens, rate: 1, p50: 1, p99: 1, cpuMicros: 1, busy }] })
  t.match(report(0.4), /Not reliable: .* Sotto got 40 %/)
  t.notMatch(report(0.95), /Not reliable/)
})

t.test('a refusal with the status 200 is no success', async (t) => {
  const limit: Spoil = (answer, nr) =>
    nr <= preparing ? answer : { status: 200, body: { status: 1, message: 'Please wait 10 seconds' } }
  const service = await preparePrivateBin(await startFakePrivateBin(t, limit), notes)
  await t.rejects(measure(t, [service]), /status 200 lacks \{"status":0,: .*Please wait 10 seconds/)
})

t.test('an open that returns something else than what was stored is no success', async (t) => {
  const forget: Spoil = (answer, nr, method) =>
    nr <= preparing || method === 'POST' ? answer : { status: 200, body: { note: { payload: 'another' } } }
  const service = await prepareEnclosed(await startFakeEnclosed(t, forget), notes)
  await t.rejects(measure(t, [service]), /status 200 lacks \w{20}: .*another/)
})

t.test('a status that was not expected is no success', async (t) => {
  const limit: Spoil = (answer, nr) => (nr <= preparing ? answer : { ...answer, status: 429 })
  const service = await prepareEnclosed(await startFakeEnclosed(t, limit), notes)
  await t.rejects(measure(t, [service]), /status 429 instead of 200/)
})

t.test('a service that does not keep what it stores is noticed before the load', async (t) => {
  const another: Spoil = (answer, _, method) =>
    method === 'POST' ? answer : { status: 200, body: { status: 0, note: { payload: 'x' }, ct: 'x' } }
  await t.rejects(
    prepareEnclosed(await startFakeEnclosed(t, another), notes),
    /Enclosed does not return the note/,
  )
  await t.rejects(
    preparePrivateBin(await startFakePrivateBin(t, another), notes),
    /PrivateBin does not return the paste/,
  )
})

t.test('a service that limits, fails or is another one is noticed before the load', async (t) => {
  const limit: Spoil = (answer, nr) =>
    nr < 3 ? answer : { status: 200, body: { status: 1, message: 'Please wait' } }
  await t.rejects(preparePrivateBin(await startFakePrivateBin(t, limit), notes), /refuses .*Please wait/)
  const fail: Spoil = () => ({ status: 500, body: {} })
  await t.rejects(prepareEnclosed(await startFakeEnclosed(t, fail), notes), /answered \/api\/notes with 500/)
  await t.rejects(prepareEnclosed(await startFakePrivateBin(t), notes), /Enclosed answered/)
})

t.test('only addresses on this machine are taken', async (t) => {
  t.equal(loopbackPort('http://127.0.0.1:8787'), 8787)
  t.equal(loopbackPort('http://localhost:8081/'), 8081)
  t.equal(loopbackPort('http://127.0.0.1'), 80)
  const others = ['http://192.168.0.7:8787', 'http://example.org', 'http://127.0.0.1.example.org', '8787', '']
  for (const address of [...others, 'https://127.0.0.1:8787', 'http://127.0.0.1:8787/paste'])
    t.equal(loopbackPort(address), undefined, address)
})

const run = { machine: 'a machine', date: '2026-11-23', rounds: 1, millis: 20, loads: [0, 0] } as const

async function measure(t: Test, services: readonly Service[]) {
  const generator = startGenerator()
  t.teardown(generator.stop)
  return measurePeers(services, { generator, rounds: 1, millis: 100, say: () => undefined })
}
