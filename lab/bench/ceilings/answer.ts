/** What the ceilings answer to a create: as long as the server's answer. */
export const answer = {
  success: true,
  version: '1.0',
  data: {
    id: '01936f2e-7c1a-7b32-9d55-0c8f4a1e2b3d',
    label: 'Database, staging',
    expires_at: '2026-12-20T12:00:00.000000Z',
    folder_id: '01936f2e-7c1a-7b32-9d55-0c8f4a1e2b3d',
    created_at: '2026-11-20T12:00:00.000000Z',
    link: {
      url: 'http://localhost:3000/9fVHrA0b7PzQ0m0wC3dUuYl8b1o3eN5JxkT2gRq4iEs',
      created_at: '2026-11-20T12:00:00.000000Z',
    },
  },
}
