import { setTimeout as pause } from 'node:timers/promises'

/** PostgreSQL refuses to run as root. */
export const nobody = 65_534
export const isRoot = process.getuid?.() === 0
/** The user that programs of PostgreSQL are started as. */
export const asUser = isRoot ? { uid: nobody, gid: nobody } : {}

/** A leader that is gone is replaced after its lease of 20 s, the shortest that Patroni allows. */
const stepMillis = 120_000

/** Waits for a step of servers that a campaign started. @throws with this text when it takes too long */
export async function until(text: string, isReached: () => Promise<boolean>): Promise<void> {
  const endMillis = performance.now() + stepMillis
  while (!(await isReached().catch(() => false))) {
    if (performance.now() > endMillis) throw new Error(text)
    await pause(50)
  }
}
