import { expectOk } from '@sotto/test-kit'
import { createSotto, type Sotto } from '../src/sotto.ts'
import {
  addWebhook,
  ask,
  createWorld,
  dayMicros,
  homeAddress,
  leaseDue,
  newSecret,
  openTimes,
  shareHeard,
  unknownId,
  webhookUrl,
  type World,
} from './world.ts'
import { corruptEachKind } from './corruption.ts'
import { lastOf, testFailingCalls, type Scenario } from './failing-calls.ts'
import { coreStores } from './failing-stores.ts'
import { arriving, saveFiles, shareFiles, uploaded } from './files.ts'

const bucket = { kind: 'address', address: '192.0.2.1' } as const

const scenarios: Readonly<Record<Exclude<keyof Sotto, 'policy'>, Scenario<World, Sotto>>> = {
  takeQuota: async () => (failing) => failing.takeQuota({ bucket }),
  peekQuota: async () => (failing) => failing.peekQuota({ bucket }),
  getAccount:
    async ({ accountId }) =>
    (failing) =>
      failing.getAccount({ accountId }),
  setLanguage:
    async ({ accountId }) =>
    (failing) =>
      failing.setLanguage({ accountId, language: 'de' }),
  rememberNotify:
    async ({ accountId }) =>
    (failing) =>
      failing.rememberNotify({ accountId, notify: true }),
  setDisplayName:
    async ({ accountId }) =>
    (failing) =>
      failing.setDisplayName({ accountId, displayName: 'Ann Reed' }),
  setMails:
    async ({ accountId }) =>
    (failing) =>
      failing.setMails({ accountId, enabled: false, nameLabels: false }),
  createWebhook:
    async ({ accountId }) =>
    (failing) =>
      failing.createWebhook({ accountId, url: webhookUrl }),
  listWebhooks:
    async ({ accountId }) =>
    (failing) =>
      failing.listWebhooks({ accountId }),
  deleteWebhook: async (world) => {
    const id = await addWebhook(world)
    return (failing) => failing.deleteWebhook({ accountId: world.accountId, id })
  },
  testWebhook: async (world) => {
    const id = await addWebhook(world)
    return (failing) => failing.testWebhook({ accountId: world.accountId, id })
  },
  testMail:
    async ({ accountId }) =>
    (failing) =>
      failing.testMail({ accountId }),
  distributeEvents: async (world) => {
    await addWebhook(world)
    await openTimes(world, await shareHeard(world))
    return (failing) => failing.distributeEvents()
  },
  leaseDeliveries: async (world) => {
    await openTimes(world, await shareHeard(world))
    expectOk(await world.sotto.distributeEvents())
    return (failing) => failing.leaseDeliveries({ kind: 'mail', targets: 1, perTarget: 1 })
  },
  deliverLease: async (world) => {
    const { deps, sotto, accountId } = world
    const webhookId = await addWebhook(world)
    expectOk(await deps.webhooks.update(accountId, webhookId, () => ({ failingSinceMicros: 1 })))
    expectOk(await sotto.setMails({ accountId, enabled: true, nameLabels: true }))
    await openTimes(world, await shareHeard(world))
    const mail = await leaseDue(world, 'mail')
    const webhook = await leaseDue(world, 'webhook')
    return (failing) =>
      failing.deliverLease({ lease: mail }).andThen(() => failing.deliverLease({ lease: webhook }))
  },
  listDeliveries: async (world) => {
    for (let nr = 0; nr < 3; nr += 1) await openTimes(world, await shareHeard(world))
    expectOk(await world.sotto.distributeEvents())
    return (failing) => lastOf(failing.listDeliveries({ pageSize: 2 }))
  },
  retryDelivery: async (world) => {
    await openTimes(world, await shareHeard(world))
    const { deliveries } = await leaseDue(world, 'mail')
    return (failing) => failing.retryDelivery({ id: deliveries[0]!.id })
  },
  getQueueState: async () => (failing) => failing.getQueueState(),
  exportAccount: async (world) => {
    expectOk(await world.sotto.createSecret(newSecret(world)))
    expectOk(await world.sotto.saveDraft(newSecret(world)))
    return (failing) => lastOf(failing.exportAccount({ accountId: world.accountId }))
  },
  deleteAccount:
    async ({ accountId }) =>
    (failing) =>
      failing.deleteAccount({ accountId }),
  createAccount: async () => (failing) => failing.createAccount({ email: 'bob@example.org' }),
  ensureAccount: async () => (failing) => failing.ensureAccount({ externalId: 'user-1' }),
  findAccount: async () => (failing) => failing.findAccount({ email: 'ada@example.org' }),
  listAccounts: async () => (failing) => lastOf(failing.listAccounts()),
  releaseAccount:
    async ({ accountId }) =>
    (failing) =>
      failing.releaseAccount({ accountId }),
  disableAccount:
    async ({ accountId }) =>
    (failing) =>
      failing.disableAccount({ accountId }),
  ensureFolder:
    async ({ accountId }) =>
    (failing) =>
      failing.ensureFolder({ accountId, label: 'x' }),
  createFolder:
    async ({ accountId }) =>
    (failing) =>
      failing.createFolder({ accountId, label: 'x' }),
  listFolders:
    async ({ accountId }) =>
    (failing) =>
      lastOf(failing.listFolders({ accountId })),
  getFolder:
    async ({ accountId, folderId: id }) =>
    (failing) =>
      failing.getFolder({ accountId, id }),
  renameFolder:
    async ({ accountId, folderId: id }) =>
    (failing) =>
      failing.renameFolder({ accountId, id, label: 'x' }),
  deleteFolder:
    async ({ accountId, folderId: id }) =>
    (failing) =>
      failing.deleteFolder({ accountId, id }),
  createRequest: async (world) => (failing) =>
    failing.createRequest({ accountId: world.accountId, folderId: world.folderId, title: 'x' }),
  listRequests: async (world) => {
    for (let nr = 0; nr < 3; nr += 1) await ask(world)
    return (failing) => lastOf(failing.listRequests({ accountId: world.accountId, pageSize: 2 }))
  },
  getRequest: async (world) => {
    const { id } = await ask(world)
    return (failing) => failing.getRequest({ accountId: world.accountId, id })
  },
  countRequests:
    async ({ accountId }) =>
    (failing) =>
      failing.countRequests({ accountId }),
  closeRequest: async (world) => {
    const { id } = await ask(world)
    return (failing) => failing.closeRequest({ accountId: world.accountId, id })
  },
  previewRequest: async (world) => {
    const { token } = (await ask(world)).link
    return (failing) => failing.previewRequest({ token })
  },
  admitAnswer: async (world) => {
    const { token } = (await ask(world)).link
    return (failing) => failing.admitAnswer({ token, address: homeAddress })
  },
  answerRequest: async (world) => {
    const { token } = (await ask(world)).link
    return (failing) => failing.answerRequest({ token, address: homeAddress, note: 'x' })
  },
  checkNewSecret: async (world) => (failing) => failing.checkNewSecret(newSecret(world)),
  createSecret: async (world) => (failing) => failing.createSecret(newSecret(world)),
  isKeyUsed:
    async ({ accountId }) =>
    (failing) =>
      failing.isKeyUsed({ accountId, idempotencyKey: 'k' }),
  createSecretOnce: async (world) => {
    const input = (idempotencyKey: string) => ({ ...newSecret(world), idempotencyKey })
    expectOk(await world.sotto.createSecretOnce(input('replayed')))
    return (failing) =>
      failing.createSecretOnce(input('replayed')).andThen(() => failing.createSecretOnce(input('first')))
  },
  getSecret: async (world) => {
    const { id } = expectOk(await world.sotto.createSecret(newSecret(world)))
    return (failing) => failing.getSecret({ accountId: world.accountId, id })
  },
  listSecrets: async (world) => {
    for (let nr = 0; nr < 101; nr += 1) expectOk(await world.sotto.createSecret(newSecret(world)))
    return (failing) => lastOf(failing.listSecrets({ accountId: world.accountId }))
  },
  viewSecret: async (world) => {
    const { id } = expectOk(await world.sotto.createSecret(newSecret(world)))
    return (failing) => failing.viewSecret({ accountId: world.accountId, id })
  },
  markSeen: async (world) => {
    const { id } = expectOk(await world.sotto.createSecret(newSecret(world)))
    return (failing) => failing.markSeen({ accountId: world.accountId, id, news: 1 })
  },
  listAnswers: async (world) => {
    const { token } = (await ask(world, { answersAllowed: 3 })).link
    for (const note of ['a', 'b', 'c'])
      expectOk(await world.sotto.answerRequest({ token, address: homeAddress, note }))
    return (failing) => lastOf(failing.listAnswers({ accountId: world.accountId, pageSize: 2 }))
  },
  countNewAnswers:
    async ({ accountId }) =>
    (failing) =>
      failing.countNewAnswers({ accountId }),
  browseSecrets: async (world) => {
    for (let nr = 0; nr < 3; nr += 1) expectOk(await world.sotto.createSecret(newSecret(world)))
    return (failing) => lastOf(failing.browseSecrets({ accountId: world.accountId, pageSize: 2 }))
  },
  searchSecrets: async (world) => {
    expectOk(await world.sotto.createSecret(newSecret(world, { label: 'Router' })))
    return (failing) => failing.searchSecrets({ accountId: world.accountId, words: 'router' })
  },
  deleteSecrets: async (world) => {
    const { id } = expectOk(await world.sotto.createSecret(newSecret(world)))
    const draft = expectOk(await world.sotto.saveDraft(newSecret(world)))
    return (failing) => failing.deleteSecrets({ accountId: world.accountId, ids: [id], drafts: [draft.id] })
  },
  removeFinished: async (world) => {
    const { link } = expectOk(await world.sotto.createSecret(newSecret(world, { openLimit: 1 })))
    expectOk(await world.sotto.openSecret({ token: link.token }))
    return (failing) => failing.removeFinished({ accountId: world.accountId })
  },
  countSecrets:
    async ({ accountId }) =>
    (failing) =>
      failing.countSecrets({ accountId }),
  unlockSecret: async (world) => {
    const { id } = expectOk(await world.sotto.createSecret(newSecret(world, { password: 'x' })))
    return (failing) => failing.unlockSecret({ accountId: world.accountId, id })
  },
  destroySecret: async (world) => {
    const { id } = expectOk(await world.sotto.createSecret(newSecret(world)))
    return (failing) => failing.destroySecret({ accountId: world.accountId, id })
  },
  saveDraft: async (world) => (failing) => failing.saveDraft(newSecret(world)),
  listDrafts: async (world) => {
    for (let nr = 0; nr < 101; nr += 1) expectOk(await world.sotto.saveDraft(newSecret(world)))
    return (failing) => lastOf(failing.listDrafts({ accountId: world.accountId }))
  },
  getDraft: async (world) => {
    const { id } = expectOk(await world.sotto.saveDraft(newSecret(world)))
    return (failing) => failing.getDraft({ accountId: world.accountId, id })
  },
  readDraftFile: async (world) => {
    const { id } = await saveFiles(world, ['a'])
    return (failing) => failing.readDraftFile({ accountId: world.accountId, id, number: 1 })
  },
  editDraft: async (world) => {
    const { id } = expectOk(await world.sotto.saveDraft(newSecret(world)))
    const { note: _, ...fields } = newSecret(world)
    return (failing) => failing.editDraft({ ...fields, id, content: { note: 'another note' } })
  },
  shareDraft: async (world) => {
    const { id } = expectOk(await world.sotto.saveDraft(newSecret(world)))
    return (failing) => failing.shareDraft({ accountId: world.accountId, id })
  },
  deleteDraft: async (world) => {
    const { id } = expectOk(await world.sotto.saveDraft(newSecret(world)))
    return (failing) => failing.deleteDraft({ accountId: world.accountId, id })
  },
  previewLink: async (world) => {
    const { token } = expectOk(await world.sotto.createSecret(newSecret(world))).link
    return (failing) => failing.previewLink({ token })
  },
  openSecret: async (world) => {
    const { token } = expectOk(await world.sotto.createSecret(newSecret(world, { password: 'right' }))).link
    return (failing) => failing.openSecret({ token, password: 'right' })
  },
  uploadFiles:
    async ({ accountId }) =>
    (failing) =>
      failing.uploadFiles({ accountId, files: arriving({ name: 'a' }, { name: 'b' }) }),
  dropUpload: async (world) => {
    const upload = await uploaded(world, ['a', 'b'])
    return (failing) => failing.dropUpload(upload)
  },
  fileUsage:
    async ({ accountId }) =>
    (failing) =>
      failing.fileUsage({ accountId }),
  readTicket: async (world) => {
    const { link } = await shareFiles(world, ['a'])
    const { attached } = expectOk(await world.sotto.openSecret({ token: link.token }))
    return (failing) => failing.readTicket({ ticket: attached!.ticket, number: 1 })
  },
  sweepFiles: async (world) => {
    const { id } = await shareFiles(world, ['a'])
    expectOk(await world.sotto.destroySecret({ accountId: world.accountId, id }))
    await uploaded(world, ['b'])
    world.deps.clock.advance(dayMicros)
    return (failing) => failing.sweepFiles({ withOrphans: true })
  },
  examineFiles: async (world) => {
    await shareFiles(world, ['a'])
    return (failing) => failing.examineFiles()
  },
  sweepExpired: async () => (failing) => failing.sweepExpired(),
  findCorruptedRows: async (world) => {
    expectOk(await world.sotto.createSecret(newSecret(world)))
    expectOk(await world.sotto.saveDraft(newSecret(world)))
    return (failing) => failing.findCorruptedRows()
  },
  dropCorruptedRows: async (world) => {
    const ids = Object.values(await corruptEachKind(world))
    const accountName = { email: 'ada@example.org', externalId: undefined }
    return (failing) => failing.dropCorruptedRows({ ids, accountName })
  },
  fitKeyRing: async () => (failing) => failing.fitKeyRing(),
  checkActiveKey: async () => (failing) => failing.checkActiveKey(),
  showServer: async () => (failing) => failing.showServer({ id: unknownId, name: 'web-1' }),
  hideServer: async () => (failing) => failing.hideServer({ id: unknownId }),
  addKey: async () => (failing) => failing.addKey(),
  keyStatus: async () => (failing) => failing.keyStatus(),
  rotateKeys: async (world) => {
    expectOk(await world.sotto.createSecret(newSecret(world)))
    await addWebhook(world)
    return (failing) => failing.rotateKeys()
  },
  retireKey: async ({ sotto }) => {
    expectOk(await sotto.rotateKeys())
    return (failing) => failing.retireKey({ kid: 1 })
  },
}

testFailingCalls(scenarios, {
  createWorld,
  create: (deps) => createSotto({ ports: deps, policy: deps.policy }),
  stores: coreStores,
  ignored: { deleteAccount: ['accounts.eraseBegun'] },
})
