import Type from 'typebox'
import { apiKey, endpoint, operator } from '../../infrastructure/http/endpoint.js'
import { listAnswer, listOf, listQuery } from '../../infrastructure/http/lists.js'
import type { ApiKey } from './api-key.entity.js'
import type { ApiKeyService } from './api-key.service.js'
import type { CreditAdditions } from './credit-additions.js'
import type { CreditCheck } from './credit-check.js'
import type { CreditEntry } from './credit-entry.entity.js'
import type { Account, CreditService } from './credit.service.js'
import type { StoredBytes } from './kept-bytes.js'
import type { Workspace } from './workspace.entity.js'
import {
  AddCredit,
  ApiKeyShape,
  CheckedCreditShape,
  CreateApiKey,
  CreditEntryShape,
  CreditShape,
  NewApiKeyShape,
} from './workspace.schema.js'
import { workspaceResource } from './workspace.resource.js'
import type { WorkspaceService } from './workspace.service.js'
import { Id, idParams } from '../../infrastructure/http/shapes.js'

interface Services {
  workspaces: WorkspaceService
  apiKeys: ApiKeyService
  credit: CreditService
  creditAdditions: CreditAdditions
  creditCheck: CreditCheck
  storedBytes: Pick<StoredBytes, 'of'>
}

const ownerOnly = apiKey('full', ['owner'])
const anyOwner = apiKey('any', ['owner'])

export function workspaceEndpoints({
  workspaces,
  apiKeys,
  credit,
  creditAdditions,
  creditCheck,
  storedBytes,
}: Services) {
  /** Presents workspaces with what each has left. */
  const presenter = {
    presenting: async (rows: readonly Workspace[]) => {
      const [accounts, kept] = await Promise.all([credit.accounts(rows), storedBytes.of(rows)])
      return (workspace: Workspace) =>
        presentWorkspace(workspace, accounts.get(workspace.id), kept.get(workspace.id) ?? 0)
    },
  }
  return [
    ...workspaceResource.endpoints(workspaces, presenter),
    endpoint({
      method: 'POST',
      path: '/workspaces/:id/credit',
      summary: 'Add credit to a workspace, or correct it',
      tag: 'Operator',
      auth: operator,
      params: idParams,
      body: AddCredit,
      response: { 201: CreditShape },
      idempotent: true,
      errors: { 404: 'No such workspace', 409: 'The Idempotency-Key was used for another request' },
      handler: async ({ params, body, idempotencyKey }) =>
        creditAdditions.add(params.id, body, idempotencyKey),
    }),
    endpoint({
      method: 'GET',
      path: '/workspaces/:id/credit/entries',
      summary: 'List the credit ledger of a workspace',
      tag: 'Operator',
      auth: operator,
      params: idParams,
      query: listQuery({ limit: 20, sort: ['created_at'] }),
      response: { 200: listOf(CreditEntryShape) },
      errors: { 404: 'No such workspace' },
      handler: async ({ params, query }) =>
        listAnswer(query, await credit.list(await workspaces.get(params.id), query), presentCreditEntry),
    }),
    endpoint({
      method: 'GET',
      path: '/workspaces/:id/credit/check',
      summary: 'Check that the money of a workspace adds up',
      description:
        'Compares its entries with its balance, with its calls and messages, each call with its legs, and the held credit with its live calls; all in one snapshot. It reads all calls and messages of the workspace.',
      tag: 'Operator',
      auth: operator,
      tier: 'heavy',
      params: idParams,
      response: { 200: CheckedCreditShape },
      errors: { 404: 'No such workspace' },
      handler: async ({ params }) => creditCheck.of(params),
    }),
    endpoint({
      method: 'GET',
      path: '/credit',
      summary: 'Show the credit balance',
      tag: 'Credit',
      auth: anyOwner,
      response: {
        200: Type.Object({
          workspace_id: Type.String(),
          balance: Type.Number({ description: 'USD' }),
          held: Type.Number({ description: 'USD, of the balance, that live calls hold' }),
          available: Type.Number({ description: 'USD that may be spent' }),
        }),
      },
      handler: async ({ workspace }) => ({
        workspace_id: workspace.id,
        ...shown(await credit.account(workspace)),
      }),
    }),
    endpoint({
      method: 'GET',
      path: '/credit/entries',
      summary: 'List the credit ledger',
      tag: 'Credit',
      auth: anyOwner,
      query: listQuery({ limit: 20, sort: ['created_at'] }),
      response: { 200: listOf(CreditEntryShape) },
      handler: async ({ workspace, query }) =>
        listAnswer(query, await credit.list(workspace, query), presentCreditEntry),
    }),
    endpoint({
      method: 'GET',
      path: '/api-keys',
      summary: 'List API keys',
      tag: 'API keys',
      auth: anyOwner,
      query: listQuery({ limit: 20, sort: ['created_at'], search: 'Looks at title and sid' }),
      response: { 200: listOf(ApiKeyShape) },
      handler: async ({ workspace, query }) =>
        listAnswer(query, await apiKeys.list(workspace, query), presentApiKey),
    }),
    endpoint({
      method: 'POST',
      path: '/api-keys',
      summary: 'Create an API key',
      description:
        'The secret is in this answer and never shown again. A key that may write signs client JWTs, unless `signs_clients` is false; one that may not signs them only with `signs_clients: true`.',
      tag: 'API keys',
      auth: ownerOnly,
      body: CreateApiKey,
      response: { 201: NewApiKeyShape },
      errors: { 403: 'The workspace holds as many keys as it may' },
      handler: async ({ workspace, body }) => {
        const { key, secret } = await apiKeys.create(workspace, body)
        return { ...presentApiKey(key), api_key: `${key.sid}.${secret}`, secret }
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api-keys/:sid',
      summary: 'Revoke an API key',
      tag: 'API keys',
      auth: ownerOnly,
      params: Type.Object({ sid: Id() }),
      response: { 200: ApiKeyShape },
      errors: { 404: 'No such key', 409: 'A push credential serves it' },
      handler: async ({ workspace, params }) => presentApiKey(await apiKeys.revoke(workspace, params.sid)),
    }),
  ]
}

function shown({ balance, held, available }: Account) {
  return { balance, held, available }
}

function presentWorkspace(workspace: Workspace, account: Account | undefined, storage_bytes: number) {
  return {
    id: workspace.id,
    title: workspace.title,
    country_code: workspace.country_code,
    transfers_by: workspace.transfers_by,
    is_suspended: workspace.is_suspended,
    credit_balance: account?.balance ?? 0,
    credit_held: account?.held ?? 0,
    credit_available: account?.available ?? 0,
    max_concurrent_calls: workspace.max_concurrent_calls,
    max_calls_per_second: workspace.max_calls_per_second,
    allowed_countries: workspace.allowed_countries,
    allow_premium_rate: workspace.allow_premium_rate,
    call_recording: workspace.call_recording,
    call_internal_recording: workspace.call_internal_recording,
    call_signing: workspace.call_signing,
    max_spend_per_hour: workspace.max_spend_per_hour,
    max_spend_per_day: workspace.max_spend_per_day,
    rate_deck_id: workspace.rate_deck_id,
    spent_this_hour: account?.spentThisHour ?? 0,
    spent_today: account?.spentToday ?? 0,
    call_retention_days: workspace.call_retention_days,
    message_retention_days: workspace.message_retention_days,
    recording_retention_days: workspace.recording_retention_days,
    ledger_retention_days: workspace.ledger_retention_days,
    webhook_delivery_retention_days: workspace.webhook_delivery_retention_days,
    audit_log_retention_days: workspace.audit_log_retention_days,
    leaders_only_own_teams: workspace.leaders_only_own_teams,
    max_storage_mb: workspace.max_storage_mb,
    storage_bytes,
    created_at: workspace.created_at.toISOString(),
    updated_at: workspace.updated_at.toISOString(),
  }
}

function presentApiKey(key: ApiKey) {
  return {
    sid: key.sid,
    workspace_id: key.workspace_id,
    title: key.title,
    scope: key.scope,
    role: key.role,
    signs_clients: key.signs_clients,
    last_used_at: key.last_used_at?.toISOString() ?? null,
    created_at: key.created_at.toISOString(),
  }
}

function presentCreditEntry(entry: CreditEntry) {
  return { ...entry, created_at: entry.created_at.toISOString() }
}
