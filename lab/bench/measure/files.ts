import type { Generator } from '../load/load.ts'
import { createBody, get } from '../load/requests.ts'
import { download, post, upload } from '../load/transfers.ts'
import { cpuSeconds, forgetPeak, memoryMiB, type Program } from '../processes/program.ts'
import type { Server } from '../processes/servers.ts'
import type { Store } from '../stores/store.ts'

/** A server that takes files and gives them back. */
export interface FilesSubject {
  readonly title: string
  readonly port: number
  readonly pid: number
  /** Uploads one file. Resolves with the path of its download, which costs further requests. */
  upload(bytes: number): Promise<() => Promise<string>>
}

export function sottoSubject({ port, pid }: Server, { creators }: Store): FilesSubject {
  let turn = 0
  return {
    title: 'Sotto',
    port,
    pid,
    async upload(bytes) {
      const { folderId = '', token } = creators[(turn += 1) % creators.length] ?? {}
      const body = await upload({ port, path: '/api/secret', token, secret: createBody(folderId), bytes })
      const { data } = JSON.parse(body) as { data: { link: { url: string } } }
      return async () => {
        const opened = await post(port, new URL(data.link.url).pathname)
        const { files } = (JSON.parse(opened) as { data: { files: readonly { url: string }[] } }).data
        return new URL(files[0]?.url ?? '').pathname
      }
    },
  }
}

export function bareSubject({ port, pid }: Pick<Program, 'pid'> & { readonly port: number }): FilesSubject {
  return {
    title: 'bare Fastify',
    port,
    pid,
    async upload(bytes) {
      const { name } = JSON.parse(await upload({ port, path: '/bare', secret: '{}', bytes })) as {
        name: string
      }
      return () => Promise.resolve(`/bare/${name}`)
    },
  }
}

/** The transfers of each round. */
export interface Transfers {
  readonly title: string
  readonly kind: 'upload' | 'download'
  readonly atOnce: number
  /** The rate of all transfers together, for each round. */
  readonly megabytesPerSecond: number[]
  /** Processor time of all threads of the server. */
  readonly cpuMillisPerMegabyte: number[]
}

/** Uploads and downloads of so many bytes each, in turns, every other round in reverse order. */
export async function measureTransfers(
  subjects: readonly FilesSubject[],
  { bytes, rounds }: { readonly bytes: number; readonly rounds: number },
): Promise<readonly Transfers[]> {
  const all = [1, 4].flatMap((atOnce) =>
    subjects.map((subject) => {
      const of = (kind: Transfers['kind']): Transfers => {
        return { title: subject.title, kind, atOnce, megabytesPerSecond: [], cpuMillisPerMegabyte: [] }
      }
      return { subject, atOnce, uploads: of('upload'), downloads: of('download') }
    }),
  )
  for (const subject of subjects) await subject.upload(bytes)
  for (let round = 0; round < rounds; round += 1)
    for (const { subject, atOnce, uploads, downloads } of round % 2 === 0 ? all : all.toReversed()) {
      const each = Array.from({ length: atOnce })
      const sent = await timed(subject, uploads, bytes, () =>
        Promise.all(each.map(() => subject.upload(bytes))),
      )
      const paths = await Promise.all(sent.map((pathOf) => pathOf()))
      await timed(subject, downloads, bytes, () =>
        Promise.all(paths.map((path) => download(subject.port, path, bytes))),
      )
    }
  return all.flatMap(({ uploads, downloads }) => [uploads, downloads])
}

async function timed<T>(
  { pid }: FilesSubject,
  { atOnce, megabytesPerSecond, cpuMillisPerMegabyte }: Transfers,
  bytes: number,
  transfer: () => Promise<T>,
): Promise<T> {
  const megabytes = (atOnce * bytes) / 1e6
  const [start, cpu] = [performance.now(), cpuSeconds(pid)]
  const done = await transfer()
  megabytesPerSecond.push((megabytes * 1000) / (performance.now() - start))
  cpuMillisPerMegabyte.push(((cpuSeconds(pid) - cpu) * 1000) / megabytes)
  return done
}

/** Latencies of gets, in milliseconds. */
export interface GetsBeside {
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/** Gets of one client, alone and while files are uploaded. */
export async function measureGets(
  subject: FilesSubject,
  { generator, store, millis, bytes, atOnce }: GetsOptions,
): Promise<{ readonly alone: GetsBeside; readonly beside: GetsBeside }> {
  const [member] = store.members
  const requests = (member?.secretIds ?? []).map((id) => get(`/api/secret/${id}`, member?.token))
  const load = { port: subject.port, connections: 1, pauseMillis: 2, millis, requests, expect: 200 }
  await generator.run([load])
  const [alone] = await generator.run([load])
  let isOver = false
  const keepUploading = async (): Promise<void> => {
    while (!isOver) await subject.upload(bytes)
  }
  const uploads = Promise.all(Array.from({ length: atOnce }, keepUploading))
  const [beside] = await generator.run([load])
  isOver = true
  await uploads
  return { alone, beside }
}

export interface GetsOptions {
  readonly generator: Generator
  readonly store: Store
  readonly millis: number
  readonly bytes: number
  readonly atOnce: number
}

/** Resident memory of a server that was just started, and how much more it was at most during these uploads. */
export interface UploadMemory {
  readonly atOnce: number
  readonly bytes: number
  readonly beforeMiB: number
  readonly moreMiB: number
}

export async function measureUploadMemory(
  subject: FilesSubject,
  { atOnce, bytes }: Pick<UploadMemory, 'atOnce' | 'bytes'>,
): Promise<UploadMemory> {
  // What the first upload loads is no memory of uploads.
  await subject.upload(1)
  const before = memoryMiB(subject.pid).now
  forgetPeak(subject.pid)
  await Promise.all(Array.from({ length: atOnce }, () => subject.upload(bytes)))
  return { atOnce, bytes, beforeMiB: before, moreMiB: memoryMiB(subject.pid).peak - before }
}
