import type { FieldMessages } from './field-messages.ts'
import type { WireFolder } from './folder.ts'
import type { WireNewSecret } from './new-secret.ts'
import type { WireLinkPreview, WireOpenedSecret } from './open-link.ts'
import type { WireSecret } from './secret.ts'

// One example of each object, for documentation. They belong together: the secret is the one that the others are about.

const folder = {
  id: '01936f2e-7c1a-7b32-9d55-0c8f4a1e2b3d',
  label: 'Customers',
  created_at: '2026-11-20T09:00:00.000000Z',
  drafts_count: 0,
  secrets_count: 1,
} satisfies WireFolder

const newSecret = {
  label: 'Database, staging',
  note: 'user: app\npassword: correct horse battery staple',
  folder_id: folder.id,
  open_limit: 1,
  notify: false,
} satisfies WireNewSecret

const secret = {
  id: '01936f31-02b4-7e0f-8a61-5b9c3d7e1f20',
  label: newSecret.label,
  expires_at: '2026-12-20T09:30:00.000000Z',
  folder_id: folder.id,
  created_at: '2026-11-20T09:30:00.000000Z',
  link: {
    url: 'https://s.example.org/9fVHrA0b7PzQ0m0wC3dUuYl8b1o3eN5JxkT2gRq4iEs',
    created_at: '2026-11-20T09:30:00.000000Z',
  },
} satisfies WireSecret

/** One valid value of each request and answer, for the documentation and for tests. */
export const examples = {
  folder,
  newSecret,
  secret,
  fieldMessages: {
    label: ['is required'],
    open_limit: ['must be a whole number'],
  } satisfies FieldMessages,
  linkPreview: { password_required: true, expires_at: secret.expires_at } satisfies WireLinkPreview,
  openRequest: { password: 'correct horse' },
  openForm: { form_id: '3f2a9c0d5b7e41868a1cf0e2d4b69573', password: 'correct horse' },
  openedSecret: {
    label: newSecret.label,
    note: newSecret.note,
    opens_left: 0,
    expires_at: secret.expires_at,
  } satisfies WireOpenedSecret,
} as const
