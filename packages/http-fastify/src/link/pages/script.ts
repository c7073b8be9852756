import { pageScript } from '../../design/embedded.ts'
import { copying, localTimes, sendOnce } from '../../design/script.ts'

/** The script of the pages that have something to send, to copy, or to tell a time of. */
export const linkScript = pageScript(localTimes, sendOnce, copying)
