import test from 'node:test'
import { quotaContract, runContract } from '@sotto/test-kit'
import { harness } from './harness.ts'

runContract(test, quotaContract, harness)
