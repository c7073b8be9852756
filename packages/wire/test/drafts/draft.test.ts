import t from 'tap'
import { toWireDraft, toWireExportedDraft } from '../../src/drafts/draft.ts'
import { toWireDeleted } from '../../src/shared/deleted.ts'

// Scripts read these documents, so each is compared as text, the order of its fields included.

const time = (digit: number): string => `1970-01-01T00:00:00.00000${digit}Z`

t.test('a draft', async (t) => {
  const draft = {
    id: 'd',
    folderId: 'f',
    label: 'Label',
    createdAtMicros: 1,
    openLimit: 3,
    notify: true,
    hasPassword: false,
  }
  const start = `{"id":"d","label":"Label","folder_id":"f","created_at":"${time(1)}"`
  const end = ',"notify":true,"has_password":false}'
  t.equal(JSON.stringify(toWireDraft(draft)), `${start},"open_limit":3${end}`)
  t.equal(
    JSON.stringify(toWireDraft({ ...draft, openLimit: undefined })),
    `${start},"open_limit":0${end}`,
    'without limit',
  )
  const sealed = { ...draft, requestKey: 'B', note: 'sealed' }
  const rest = { files: [], showsFiles: false, sealedFiles: undefined, isDisabled: false }
  const exported = (of: typeof draft & { note: string }) =>
    JSON.stringify(toWireExportedDraft({ ...of, ...rest, answers: undefined, version: '' }))
  t.equal(
    JSON.stringify(toWireDraft(sealed)),
    `${start},"open_limit":3${end.replace('}', ',"sealed":true}')}`,
  )
  t.equal(exported(sealed), JSON.stringify(toWireDraft(sealed)), 'no text of what only its owner can read')
  t.match(exported({ ...draft, note: 'text' }), '"note":"text"')
  t.equal(JSON.stringify(toWireDeleted('d')), '{"id":"d","deleted":true}')
})
