/** A change of a file that no fsync has made durable yet. */
export type Change =
  | { readonly kind: 'write'; readonly offset: number; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly length: number }

/** The names that one call adds to a directory or removes from it, atomically. */
export type Renaming = readonly (readonly [name: string, node: Node | undefined])[]

export class File {
  readonly isDirectory = false
  /** The contents that are certainly on the disk. */
  durable: Buffer = Buffer.alloc(0)
  pending: Change[] = []
  /** How many of them the fsync that is under way will make durable. */
  covered = 0
  /** The length that the process sees. */
  length = 0
}

export class Directory {
  readonly isDirectory = true
  durable = new Map<string, Node>()
  pending: Renaming[] = []
  covered = 0
  /** The names that the process sees. */
  names = new Map<string, Node>()
}

export type Node = File | Directory

export function truncate(file: File, length: number): void {
  file.pending.push({ kind: 'truncate', length })
  file.length = length
}

export function beginSync(node: Node): void {
  node.covered = node.pending.length
}

export function endSync(node: Node): void {
  if (node.isDirectory)
    for (const renaming of node.pending.splice(0, node.covered)) applyRenaming(node.durable, renaming)
  else node.durable = contentOf(node.durable, node.pending.splice(0, node.covered))
  node.covered = 0
}

export function applyRenaming(names: Map<string, Node>, renaming: Renaming): void {
  for (const [name, node] of renaming) {
    if (node === undefined) names.delete(name)
    else names.set(name, node)
  }
}

export function contentOf(durable: Buffer, changes: readonly Change[]): Buffer {
  if (changes.length === 0) return durable
  const capacity = changes.reduce(
    (most, change) =>
      Math.max(most, change.kind === 'write' ? change.offset + change.bytes.length : change.length),
    durable.length,
  )
  const content = Buffer.alloc(capacity)
  durable.copy(content)
  let { length } = durable
  for (const change of changes) {
    if (change.kind === 'write') {
      change.bytes.copy(content, change.offset)
      length = Math.max(length, change.offset + change.bytes.length)
    } else {
      content.fill(0, change.length)
      ;({ length } = change)
    }
  }
  return content.subarray(0, length)
}
