import type { Leaf } from './leaf.ts'
import { requests } from './requests.ts'

/** What can be taken out. */
export const leaves: readonly Leaf[] = [requests]
