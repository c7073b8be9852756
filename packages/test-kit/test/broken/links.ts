import { noAttempts, type LinkChange, type LinkRecord, type LinkStore } from '@sotto/core'
import { noonMicros, type StorageHarness } from '@sotto/test-kit'
import { err, ok, type Result } from 'neverthrow'
import { brokenStorage, brokenStore, pause, sameBytes, slowly, type Broken } from './broken.ts'

export const links = brokenStore('links')

/** Flaws of finding, and of an update by one caller. */
export const brokenLinks: readonly Broken<StorageHarness>[] = [
  links('starts with one open', ['link-store/find-gives-secret-and-state'], (store) => ({
    find: (...asked) =>
      store.find(...asked).map((found) => found && withState(found, { opens: found.state.opens + 1 })),
  })),
  links('swaps note and wrap', ['link-store/find-with-note-gives-the-note'], (store) => ({
    findWithNote: (...asked) =>
      store
        .findWithNote(...asked)
        .map(
          (found) =>
            found && { ...found, note: found.note && { note: found.note.wrap, wrap: found.note.note } },
        ),
  })),
  links(
    'reads no note of a secret with a password',
    ['link-store/note-with-password-is-read-on-demand'],
    (store) => ({
      findWithNote: (lookup, query) => store.findWithNote(lookup, { ...query, evenWithPassword: false }),
    }),
  ),
  links('reads every note', ['link-store/note-with-password-is-read-on-demand'], (store) => ({
    findWithNote: (lookup, query) => store.findWithNote(lookup, { ...query, evenWithPassword: true }),
  })),
  links(
    'finds a link in the microsecond of its expiry',
    ['link-store/find-knows-only-live-links'],
    (store) => ({
      find: (lookup, nowMicros) => store.find(lookup, nowMicros - 1),
    }),
  ),
  links('finds expired notes', ['link-store/find-knows-only-live-links'], (store) => ({
    findWithNote: (lookup, query) => store.findWithNote(lookup, { ...query, nowMicros: noonMicros - 1 }),
  })),
  links('finds links without a note', ['link-store/find-knows-only-live-links'], (store) => ({
    find: (lookup, nowMicros) => {
      let seen: LinkRecord | undefined
      const look = (record: LinkRecord) => {
        seen = record
        return ok({})
      }
      return store
        .update(lookup, undefined, look)
        .map(() => (seen && seen.secret.link.expiresAtMicros > nowMicros ? seen : undefined))
        .orElse((error) => (error.code === 'link_not_found' ? ok(undefined) : err(error)))
    },
  })),
  ...(['find', 'findWithNote', 'update'] as const).map((method) =>
    links(
      `has ${method} find links of an account that is being erased`,
      ['link-store/link-of-an-account-being-erased-is-absent'],
      (store, { erasing }) => ({
        [method](...given: [never, never, never]) {
          const begun = [...erasing]
          erasing.clear()
          const found = store[method](...given)
          for (const id of begun) erasing.add(id)
          return found
        },
      }),
    ),
  ),
  links('updates no expired link', ['link-store/update-works-after-the-expiry'], (store) => ({
    update: (lookup, formId, decide) =>
      slowly(async () => {
        const found = await store.findWithNote(lookup, { nowMicros: noonMicros, evenWithPassword: true })
        return found.isOk() && found.value === undefined
          ? err({ code: 'link_not_found' as const })
          : store.update(lookup, formId, decide)
      }),
  })),
  brokenStorage(
    'compares only the first 16 bytes of a lookup',
    ['link-store/find-of-none-is-undefined'],
    ({ links: store, data }) => ({
      links: {
        ...store,
        find(lookup, nowMicros) {
          const lookups = [...data.secrets.values()].map(({ secret }) => secret.link?.lookup ?? lookup)
          const close = lookups.find((each) => sameBytes(each.subarray(0, 16), lookup.subarray(0, 16)))
          return store.find(close ?? lookup, nowMicros)
        },
      },
    }),
  ),
  links('counts a look at a note as an open', ['link-store/finding-changes-nothing'], (store) => ({
    findWithNote: (lookup, query) =>
      store
        .update(lookup, undefined, ({ state }) => ok({ opens: state.opens + 1 }))
        .orElse(() => ok({}))
        .andThen(() => store.findWithNote(lookup, query))
        .map((found) => found && { ...found, ...withState(found, { opens: found.state.opens - 1 }) }),
  })),
  updating('decides on an old record', ['link-store/update-decides-on-the-record'], (change) => change, {
    seen: (record) => withState(record, { opens: 0 }),
  }),
  updating(
    'forgets the attempts that a change does not name',
    ['link-store/update-changes-what-is-named'],
    (change) => ({ attempts: noAttempts, ...change }),
  ),
  updating(
    'keeps the first attempts that were named',
    ['link-store/update-changes-what-is-named'],
    (change, { state }) =>
      state.attempts.wrongTotal > 0 && change.attempts ? { ...change, attempts: state.attempts } : change,
  ),
  updating('stores numbers in 32 bits', ['link-store/numbers-are-stored-exactly'], (change) =>
    change.opens === undefined ? change : { ...change, opens: change.opens | 0 },
  ),
  updating(
    'never destroys a note',
    ['link-store/destroyed-note-is-gone', 'link-store/one-of-parallel-claims-destroys'],
    (change) => ({
      ...change,
      destroyNote: false,
    }),
  ),
  brokenStorage(
    'changes all links of a folder',
    ['link-store/update-changes-one-link'],
    ({ links: store, data }) => ({
      links: {
        ...store,
        update: (lookup, formId, decide) =>
          store.update(lookup, formId, (record) =>
            decide(record).map((change) => {
              for (const [id, row] of data.secrets)
                data.secrets.set(id, { ...row, opens: change.opens ?? row.opens })
              return change
            }),
          ),
      },
    }),
  ),
  links('calls the decision for an unknown lookup', ['link-store/update-of-none-is-an-error'], (store) => ({
    update: (lookup, formId, decide) =>
      slowly(async () => {
        const found = await store.find(lookup, noonMicros)
        const isAbsent = found.isOk() && found.value === undefined
        const asked = isAbsent ? decide({} as LinkRecord) : undefined
        return asked?.isErr() ? err(asked.error) : store.update(lookup, formId, decide)
      }),
  })),
  brokenStorage(
    'counts refused opens',
    ['link-store/error-of-the-decision-changes-nothing'],
    ({ links: store, data }) => ({
      links: {
        ...store,
        update: (lookup, formId, decide) =>
          store.update(lookup, formId, (record) => {
            const decision = decide(record)
            const row = data.secrets.get(record.secret.id)
            if (decision.isErr() && row) data.secrets.set(record.secret.id, { ...row, opens: row.opens + 1 })
            return decision
          }),
      },
    }),
  ),
  links(
    'replaces the error of the decision',
    ['link-store/error-of-the-decision-changes-nothing'],
    (store) => ({
      update: (...asked) => store.update(...asked).mapErr(() => ({ code: 'link_not_found' as const })),
    }),
  ),
  brokenStorage(
    'erases the secret with its note',
    ['link-store/destroyed-note-is-gone', 'folder-store/counts-secrets-without-note'],
    (storage) => ({
      links: {
        ...storage.links,
        update: (lookup, formId, decide) =>
          storage.links.update(lookup, formId, decide).map((change) => {
            if (change.destroyNote === true) storage.data.secrets.clear()
            return change
          }),
      },
    }),
  ),
  links('knows no link without a note', ['link-store/update-works-without-note'], (store) => ({
    update: (lookup, formId, decide) =>
      slowly(async () => {
        const found = await store.findWithNote(lookup, { nowMicros: noonMicros, evenWithPassword: true })
        return found.isOk() && found.value === undefined
          ? err({ code: 'link_not_found' as const })
          : store.update(lookup, formId, decide)
      }),
  })),
]

export function withState(record: LinkRecord, state: Partial<LinkRecord['state']>): LinkRecord {
  return { ...record, state: { ...record.state, ...state } }
}

/** A store that applies something else than what was decided, and answers as if it had not. */
export function updating(
  flaw: string,
  breaks: readonly string[],
  applied: (change: LinkChange, record: LinkRecord) => LinkChange,
  { seen = (record) => record }: { readonly seen?: (record: LinkRecord) => LinkRecord } = {},
): Broken<StorageHarness> {
  return links(flaw, breaks, (store) => ({
    update<Change extends LinkChange, E>(
      lookup: Uint8Array,
      formId: string | undefined,
      decide: (record: LinkRecord) => Result<Change, E>,
    ) {
      let decided: Change | undefined
      return store
        .update(lookup, formId, (record) =>
          decide(seen(record)).map((change) => {
            decided = change
            return applied(change, record)
          }),
        )
        .map((change) => decided ?? (change as Change))
    },
  }))
}

/** Reads, decides, and writes what was decided later. */
export function updateInSteps(store: LinkStore): LinkStore['update'] {
  return (lookup, formId, decide) =>
    slowly(async () => {
      let seen: LinkRecord | undefined
      const read = await store.update(lookup, formId, (record) => {
        seen = record
        return ok({})
      })
      if (read.isErr()) return err(read.error)
      const decision = decide(seen ?? ({} as LinkRecord))
      await pause()
      return decision.isErr() ? err(decision.error) : store.update(lookup, formId, () => decision)
    })
}
