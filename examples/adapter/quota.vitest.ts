import { quotaContract, runContract } from '@sotto/test-kit'
import { test } from 'vitest'
import { harness } from './harness.ts'

runContract(test, quotaContract, harness)
