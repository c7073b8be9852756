import { basename, dirname } from 'node:path'
import type { Chance } from '../support/chance.ts'
import { imageOfDirectory, type Loss } from './image.ts'
import { applyRenaming, beginSync, Directory, endSync, File, truncate, type Node } from './nodes.ts'
import type { Event } from './trace.ts'

/**
 * A disk with the guarantees that a program may assume, and no others. Only an fsync of a file makes its contents safe, only an fsync of a
 * directory the names in it. Any other write may survive a power cut or not, in any order, torn at sectors, with zeros in place of what is
 * missing.
 */
export class Disk {
  readonly #root = new Directory()
  readonly #rootPath: string
  readonly #open = new Map<number, { readonly node: Node; offset: number }>()

  constructor(rootPath: string) {
    this.#rootPath = rootPath
  }

  apply(event: Event): void {
    switch (event.kind) {
      case 'open':
        this.#openFile(event)
        break
      case 'close':
        this.#open.delete(event.fd)
        break
      case 'write':
        this.#write(event)
        break
      case 'truncate':
        truncate(this.#file(event.fd), event.length)
        break
      case 'sync-begins':
        beginSync(this.#opened(event.fd).node)
        break
      case 'sync-ends':
        endSync(this.#opened(event.fd).node)
        break
      case 'make-directory':
        this.#rename([[event.path, new Directory()]])
        break
      case 'unlink':
        this.#rename([[event.path, undefined]])
        break
      case 'link':
        this.#rename([[event.to, this.#find(event.from)]])
        break
      case 'rename': {
        const { from, to } = event
        this.#rename([
          [to, this.#find(from)],
          [from, undefined],
        ])
        break
      }
      case 'report':
    }
  }

  /** Writes the contents that a power cut would leave now into a directory. */
  image(target: string, loss: Loss, chance: Chance): void {
    imageOfDirectory(this.#root, target, loss, chance)
  }

  #openFile({ path, fd, creates, truncates }: Extract<Event, { kind: 'open' }>): void {
    let node = path === this.#rootPath ? this.#root : this.#parent(path).names.get(basename(path))
    if (node === undefined && !creates) throw new Error(`${path} was opened but never created`)
    if (node === undefined) this.#rename([[path, (node = new File())]])
    if (truncates && !node.isDirectory) truncate(node, 0)
    this.#open.set(fd, { node, offset: 0 })
  }

  #write({ fd, offset, bytes }: Extract<Event, { kind: 'write' }>): void {
    const file = this.#file(fd)
    const opened = this.#opened(fd)
    const at = offset ?? opened.offset
    if (offset === undefined) opened.offset += bytes.length
    file.pending.push({ kind: 'write', offset: at, bytes })
    file.length = Math.max(file.length, at + bytes.length)
  }

  #rename(changes: readonly (readonly [path: string, node: Node | undefined])[]): void {
    const [first] = changes
    if (first === undefined) return
    const parent = this.#parent(first[0])
    const renaming = changes.map(([path, node]) => [basename(path), node] as const)
    if (changes.some(([path]) => this.#parent(path) !== parent))
      throw new Error('a rename between directories')
    applyRenaming(parent.names, renaming)
    parent.pending.push(renaming)
  }

  #parent(path: string): Directory {
    const directory = dirname(path)
    const node = directory === this.#rootPath ? this.#root : this.#find(directory)
    if (!node.isDirectory) throw new Error(`${directory} is not a directory`)
    return node
  }

  #find(path: string): Node {
    const node = this.#parent(path).names.get(basename(path))
    if (node === undefined) throw new Error(`${path} does not exist`)
    return node
  }

  #opened(fd: number): { readonly node: Node; offset: number } {
    const opened = this.#open.get(fd)
    if (opened === undefined) throw new Error(`descriptor ${fd} is not open`)
    return opened
  }

  #file(fd: number): File {
    const { node } = this.#opened(fd)
    if (node.isDirectory) throw new Error('a directory cannot be written to')
    return node
  }
}
