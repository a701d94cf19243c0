import type { components } from '@jackfield/sdk'
import { listQuery } from '../../api/resources'

export type ApiKey = components['schemas']['ApiKey']

/** Query keys to invalidate when a key is created or revoked. */
export const apiKeysKey = ['api-keys'] as const

export const apiKeysQuery = listQuery('/api-keys', ['created_at'])
