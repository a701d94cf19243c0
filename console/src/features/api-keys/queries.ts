import type { components } from '@jackfield/sdk'
import { keyOf, listQuery } from '../../api/resources'

export type ApiKey = components['schemas']['ApiKey']

/** Query keys to invalidate when a key is created or revoked. */
export const apiKeysKey = keyOf('/api-keys')

export const apiKeysQuery = listQuery('/api-keys', ['created_at'])
