import { setImmediate } from 'node:timers/promises'
import type { LinkStore } from '@sotto/core'
import { ok, ResultAsync } from 'neverthrow'
import t from 'tap'
import { formIdOf, startLinks, type Links } from '../support/links.ts'

/** A slow store, so that requests really overlap. Each change is still atomic. */
function slow(links: LinkStore): LinkStore {
  const wait = (): ResultAsync<undefined, never> => new ResultAsync(setImmediate(ok(undefined)))
  return {
    find: (...given) => wait().andThen(() => links.find(...given)),
    findWithNote: (...given) => wait().andThen(() => links.findWithNote(...given)),
    update: (lookup, formId, decide) => wait().andThen(() => links.update(lookup, formId, decide)),
  }
}

async function delivered(links: Links, path: string, many: number, password?: string): Promise<number> {
  const answers = await Promise.all(
    Array.from({ length: many }, async (_, at) =>
      at % 2 === 0
        ? links.openJson(path, password === undefined ? {} : { password })
        : links.submit(path, { form_id: formIdOf(await links.visit(path)), ...(password && { password }) }),
    ),
  )
  return answers.filter(({ statusCode, body }) => statusCode === 200 && body.includes('the-note')).length
}

// Promise (Opening a link): At most open_limit deliveries, whatever the concurrency
t.test('there are never more opens than the limit, however many requests come together', async (t) => {
  const links = await startLinks(t, { replace: (ports) => ({ links: slow(ports.links) }) })
  for (const openLimit of [1, 3, 10]) {
    const { secret, path } = await links.share({ openLimit, note: 'the-note' })
    t.equal(await delivered(links, path, 40), openLimit)
    t.equal(links.opens(secret), openLimit)
    t.equal(links.memory.data.secrets.get(secret.id)?.note, undefined, 'the note is destroyed')
  }
})

// Promise (Opening a link): A store that reads, then writes would be detected
t.test('a store that reads and writes in two steps is noticed', async (t) => {
  const links = await startLinks(t, {
    replace: (ports) => ({
      links: {
        ...slow(ports.links),
        update: (lookup, formId, decide) =>
          ports.links.find(lookup, ports.clock.nowMicros()).andThen((record) => {
            if (record === undefined) throw new Error('unexpected')
            const change = decide(record)
            return new ResultAsync(setImmediate(change)).andThen(() =>
              ports.links.update(lookup, formId, () => change),
            )
          }),
      },
    }),
  })
  const { path } = await links.share({ openLimit: 1, note: 'the-note' })
  t.ok((await delivered(links, path, 40)) > 1)
})

t.test('there are never more than five guesses in a window, however many come together', async (t) => {
  const links = await startLinks(t, { replace: (ports) => ({ links: slow(ports.links) }) })
  const { secret, path } = await links.share({ password: 'right', note: 'the-note' })
  t.equal(await delivered(links, path, 40, 'wrong'), 0)
  t.equal(links.memory.data.secrets.get(secret.id)?.attempts.wrongTotal, 5)
  t.equal(await delivered(links, path, 4, 'right'), 0, 'locked for the right one too')
})
