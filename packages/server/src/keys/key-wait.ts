import type { ErrorOf } from '@sotto/core'
import type { FullSotto } from '@sotto/identity'
import type { Err } from 'neverthrow'

type Rotated = Awaited<ReturnType<FullSotto['rotateKeys']>>

/** How often a rotation looks, once a second, whether the servers hold the key by now. */
const looks = 30

/** Rotates the keys. While servers that run lack the key, tries again for half a minute: they read their key file every few seconds. */
export async function whenEverywhere({
  attempt,
  onWait,
  pause,
}: {
  readonly attempt: () => PromiseLike<Rotated>
  /** Called before each pause, with the names of the servers that lack the key. */
  readonly onWait: (names: readonly string[]) => void
  readonly pause: (millis: number) => Promise<unknown>
}): Promise<Rotated> {
  for (let look = 1; ; look += 1) {
    const rotated = await attempt()
    if (!isLacking(rotated) || look > looks) return rotated
    onWait(rotated.error.servers.map(({ name }) => name))
    await pause(1_000)
  }
}

type KeyNotEverywhere = Extract<ErrorOf<FullSotto['rotateKeys']>, { readonly code: 'key_not_everywhere' }>

function isLacking(rotated: Rotated): rotated is Err<never, KeyNotEverywhere> {
  return rotated.isErr() && rotated.error.code === 'key_not_everywhere'
}
