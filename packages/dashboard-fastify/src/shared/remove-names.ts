import { filesMax } from '@sotto/core'

/** The name of a box that removes a file of a draft. It has the id of its file as value. */
export type RemoveName = `remove-${number}`

export const removeNames: readonly RemoveName[] = Array.from({ length: filesMax }, (_, at) => removeName(at))

export function removeName(at: number): RemoveName {
  return `remove-${at + 1}`
}

export function isRemoveName(name: string): boolean {
  return removeNames.some((known) => known === name)
}
