import type { LinkRecord } from '@sotto/core'
import type { StorageHarness } from '@sotto/test-kit'
import { err, ok } from 'neverthrow'
import { brokenStorage, pause, slowly, type Broken } from './broken.ts'
import { links, updateInSteps, updating, withState } from './links.ts'

/** Flaws of the forms that a link remembers, and of updates by many callers at once. */
export const brokenLinkForms: readonly Broken<StorageHarness>[] = [
  updating('remembers no form', ['link-store/form-is-remembered'], (change) => ({
    ...change,
    rememberForm: false,
  })),
  links('answers formUsed without a form', ['link-store/form-is-remembered'], (store) => ({
    update: (lookup, formId, decide) =>
      store.update(lookup, formId, (record) =>
        decide(formId === undefined ? withState(record, { formUsed: true }) : record),
      ),
  })),
  updating(
    'remembers every form that is named',
    ['link-store/form-is-remembered-on-request-only'],
    (change) => ({
      ...change,
      rememberForm: true,
    }),
  ),
  links('fails when a form is remembered already', ['link-store/form-may-be-remembered-again'], (store) => ({
    update: (lookup, formId, decide) =>
      store
        .update(lookup, formId, (record) =>
          decide(record).andThen((change) =>
            record.state.formUsed && change.rememberForm === true ? err('taken' as const) : ok(change),
          ),
        )
        .mapErr((error) =>
          error === 'taken' ? { code: 'storage_failed' as const, detail: 'taken' } : error,
        ),
  })),
  brokenStorage(
    'remembers forms of all links together',
    ['link-store/forms-belong-to-one-link'],
    ({ links: store, data }) => ({
      links: {
        ...store,
        update: (lookup, formId, decide) =>
          store.update(lookup, formId, (record) => {
            const formUsed = data.secrets
              .values()
              .some(({ forms }) => formId !== undefined && forms.has(formId))
            return decide(withState(record, { formUsed }))
          }),
      },
    }),
  ),
  brokenStorage(
    'remembers the last 50 forms',
    ['link-store/forms-are-remembered-until-erasure'],
    ({ links: store, data }) => ({
      links: {
        ...store,
        update: (...asked) =>
          store.update(...asked).map((change) => {
            for (const [id, row] of data.secrets) {
              data.secrets.set(id, { ...row, forms: new Set([...row.forms].slice(-50)) })
            }
            return change
          }),
      },
    }),
  ),
  brokenStorage(
    'remembers forms of erased secrets',
    ['link-store/erasure-forgets-forms-and-state'],
    (storage) => {
      const met = new Set<string>()
      return {
        links: {
          ...storage.links,
          update: (lookup, formId, decide) =>
            storage.links.update(lookup, formId, (record) => {
              const form = `${Buffer.from(lookup).toString('hex')} ${formId ?? ''}`
              return decide(withState(record, { formUsed: met.has(form) })).map((change) => {
                if (change.rememberForm === true) met.add(form)
                return change
              })
            }),
        },
      }
    },
  ),
  links(
    'reads, decides, then writes',
    [
      'link-store/parallel-updates-do-not-interleave',
      'link-store/one-of-parallel-claims-destroys',
      'link-store/one-of-parallel-uses-of-a-form-claims',
      'link-store/links-do-not-mix-in-parallel',
      'link-store/updates-from-two-storages-do-not-interleave',
    ],
    (store) => ({ update: updateInSteps(store) }),
  ),
  links(
    'mixes up links that are updated at the same time',
    ['link-store/links-do-not-mix-in-parallel'],
    (store) => {
      let latest = new Uint8Array()
      return {
        update: (lookup, formId, decide) =>
          slowly(async () => {
            latest = Uint8Array.from(lookup)
            await pause()
            return store.update(latest, formId, decide)
          }),
      }
    },
  ),
  links(
    'locks within one process only',
    ['link-store/updates-from-two-storages-do-not-interleave'],
    (store) => {
      let last: Promise<unknown> = Promise.resolve()
      const inSteps = updateInSteps(store)
      return {
        update: (lookup, formId, decide) =>
          slowly(() => {
            const turn = last.then(() => inSteps(lookup, formId, decide))
            last = turn
            return turn
          }),
      }
    },
  ),
  links('answers something else than the decision', ['link-store/update-decides-on-the-record'], (store) => ({
    update: (lookup, formId, decide) =>
      store
        .update(lookup, formId, (record: LinkRecord) => decide(record))
        .map((change) => ({ ...change, opens: 0 })),
  })),
]
