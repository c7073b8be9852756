import { account } from '../shared/shapes.ts'
import { useCase } from '../shared/use-case.ts'
import { filesMax } from './file-rules.ts'

/** How much of what files may have an account uses, in bytes. */
export interface FileUsage {
  readonly usedBytes: number
  readonly accountMaxBytes: number
  /** The largest file; 0 where no files are taken. */
  readonly maxBytes: number
  /** How many files a secret has at most. */
  readonly filesMax: number
}

/** How much of what files may have the account uses. */
export const fileUsage = useCase({
  needs: ['secretFiles.bytesOf', 'policy.files'],
  takes: account,
  async run({ secretFiles, policy: { files } }, { accountId }) {
    const { maxBytes = 0, accountMaxBytes = 0 } = files ?? {}
    const used = await secretFiles.bytesOf(accountId)
    return used.map((usedBytes): FileUsage => ({ usedBytes, accountMaxBytes, maxBytes, filesMax }))
  },
})
