import { pageScript } from '../../pages/embedded.ts'
import { copying, localTimes, sendOnce } from '../../pages/script.ts'

/** The script of the pages that have something to send, to copy, or to tell a time of. */
export const linkScript = pageScript(localTimes, sendOnce, copying)
