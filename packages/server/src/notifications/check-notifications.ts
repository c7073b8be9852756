import { listPageSize, type Clock, type Cursor, type Finding } from '@sotto/core'
import type { FullOpenStorage } from '@sotto/identity'
import { err, ok, type Result } from 'neverthrow'
import { lateMicros } from './notifier.ts'
import { counted, timeText } from '../shared/text.ts'
import { bad, good, unchecked } from '../shared/finding.ts'

const check = 'notifications'

/** Checks that owners hear of their secrets: that nothing waits for long and nothing was given up. */
export async function checkNotifications({
  storage,
  clock,
}: {
  readonly storage: Pick<FullOpenStorage, 'deliveries' | 'accounts' | 'webhooks'>
  readonly clock: Clock
}): Promise<readonly Finding[]> {
  const state = await storage.deliveries.state()
  const disabled = await countDisabledWebhooks(storage)
  if (state.isErr() || disabled.isErr()) return [unchecked(check, 'the database cannot be read')]
  const { events, waiting, dead, oldestMicros = Infinity } = state.value
  const waitsMicros = clock.nowMicros() - oldestMicros
  const found: Finding[] = []
  if (waitsMicros > lateMicros) {
    const text = `${counted(events + waiting, 'waits', 'wait')}, the oldest for ${timeText(waitsMicros / 1e6)}`
    found.push(
      bad(check, `${text}: no server runs, or the targets do not take them, see: sotto notification list`),
    )
  }
  if (dead > 0) {
    const text = `${counted(dead, 'was', 'were')} given up: see sotto notification list --dead`
    found.push(bad(check, `${text}, and try one again with: sotto notification retry ID`))
  }
  if (found.length > 0) return found
  // Disabled webhooks are left out: their owners see why in their settings, and the operator could do nothing.
  const webhooks =
    disabled.value === 0 ? '' : `, ${counted(disabled.value, 'webhook is', 'webhooks are')} disabled`
  return [good(check, `none was given up, ${events + waiting} wait${webhooks}`)]
}

async function countDisabledWebhooks({
  accounts,
  webhooks,
}: Pick<FullOpenStorage, 'accounts' | 'webhooks'>): Promise<Result<number, unknown>> {
  let count = 0
  let after: Cursor | undefined
  do {
    const page = await accounts.page(after, listPageSize)
    if (page.isErr()) return err(page.error)
    for (const { id } of page.value) {
      const listed = await webhooks.list(id)
      if (listed.isErr()) return err(listed.error)
      count += listed.value.filter(({ disabled }) => disabled !== undefined).length
    }
    after = page.value.length < listPageSize ? undefined : page.value.at(-1)
  } while (after !== undefined)
  return ok(count)
}
