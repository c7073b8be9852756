import t from 'tap'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/schema'
import { examples } from '../src/examples.ts'
import { folderSchema } from '../src/folder.ts'
import { newSecretSchema } from '../src/new-secret.ts'
import { linkPreviewSchema, openedSecretSchema, openFormSchema, openRequestSchema } from '../src/open-link.ts'
import { problemSchema, problemText } from '../src/problem.ts'
import { secretSchema } from '../src/secret.ts'

t.test('every example fits its schema', async (t) => {
  const pairs: Record<keyof typeof examples, [TSchema, unknown]> = {
    folder: [folderSchema, examples.folder],
    newSecret: [newSecretSchema({ noteMaxBytes: 65_536 }), examples.newSecret],
    secret: [secretSchema, examples.secret],
    fieldMessages: [problemSchema, JSON.parse(problemText({ message: 'm', errors: examples.fieldMessages }))],
    linkPreview: [linkPreviewSchema, examples.linkPreview],
    openRequest: [openRequestSchema, examples.openRequest],
    openForm: [openFormSchema, examples.openForm],
    openedSecret: [openedSecretSchema, examples.openedSecret],
  }
  for (const [name, [schema, example]] of Object.entries(pairs)) t.ok(Compile(schema).Check(example), name)
})
