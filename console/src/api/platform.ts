/** Shared by several of the operator's pages. */
import { dataOf } from '@jackfield/sdk'
import { type ChoiceSource, choicesLimit } from './choices'
import { api } from './client'
import { keyOf } from './resources'

/** Query keys to invalidate when the platform's setup changes. */
export const checklistKey = ['platform', 'checklist'] as const
export const carriersKey = keyOf('/carriers')
export const rateDecksKey = keyOf('/rate-decks')
export const workspacesKey = keyOf('/workspaces')

/** Polling interval of pages about the platform, in milliseconds: the operator has no event stream. */
export const askedEveryMs = 10_000

const asChoice = ({ id, title }: { id: string; title: string }) => ({ value: id, label: title })

const byTitle = (search: string) =>
  ({ limit: choicesLimit, search, sort_field: 'title', sort_order: 'asc' }) as const

export const carrierChoices: ChoiceSource = {
  key: carriersKey,
  list: async (search, signal) =>
    (await dataOf(api.GET('/carriers', { params: { query: byTitle(search) }, signal }))).data.map(asChoice),
  one: async (id, signal) =>
    asChoice(await dataOf(api.GET('/carriers/{id}', { params: { path: { id } }, signal }))),
}

export const workspaceChoices: ChoiceSource = {
  key: workspacesKey,
  list: async (search, signal) =>
    (await dataOf(api.GET('/workspaces', { params: { query: byTitle(search) }, signal }))).data.map(asChoice),
  one: async (id, signal) =>
    asChoice(await dataOf(api.GET('/workspaces/{id}', { params: { path: { id } }, signal }))),
}

export const rateDeckChoices: ChoiceSource = {
  key: rateDecksKey,
  list: async (search, signal) =>
    (await dataOf(api.GET('/rate-decks', { params: { query: byTitle(search) }, signal }))).data.map(asChoice),
  one: async (id, signal) =>
    asChoice(await dataOf(api.GET('/rate-decks/{id}', { params: { path: { id } }, signal }))),
}
