import type { Delivery } from '@sotto/core'
import type { MemoryData } from '@sotto/test-kit'

type Row = MemoryData['deliveries'] extends Map<string, infer Value> ? Value : never

/** Calls a method of a memory store, which works synchronously, with other rows; rows that it did not change are as before afterwards. */
export function withRows<T>(data: MemoryData, change: (row: Row, at: number) => Row, call: () => T): T {
  const before = [...data.deliveries].map(([id, row], at) => ({ id, row, changed: change(row, at) }))
  for (const { id, changed } of before) data.deliveries.set(id, changed)
  const answer = call()
  for (const { id, row, changed } of before) {
    const after = data.deliveries.get(id)
    if (after === changed) data.deliveries.set(id, row)
    else if (after)
      data.deliveries.set(id, {
        ...after,
        delivery: restored(after.delivery, changed.delivery, row.delivery),
      })
  }
  return answer
}

/** What the call changed, on top of what was there before. */
function restored(after: Delivery, changed: Delivery, before: Delivery): Delivery {
  const keys = Object.keys(after) as (keyof Delivery)[]
  const kept = keys.filter((key) => after[key] === changed[key]).map((key) => [key, before[key]])
  return { ...after, ...(Object.fromEntries(kept) as Partial<Delivery>) }
}

/** Changes the deliveries that are stored. */
export function changeDeliveries(data: MemoryData, change: (delivery: Delivery) => Partial<Delivery>): void {
  for (const [id, row] of data.deliveries) {
    data.deliveries.set(id, { ...row, delivery: { ...row.delivery, ...change(row.delivery) } })
  }
}
