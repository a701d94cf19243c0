import { type components, dataOf } from '@jackfield/sdk'
import { type ChoiceSource, choicesLimit } from './choices'
import { api } from './client'

const asChoice = ({ id, display_name, username }: components['schemas']['Colleague']) => ({
  value: id,
  label: `${display_name} (${username})`,
})

/** Active agents of the workspace, as their colleagues see them. */
export const colleagueChoices: ChoiceSource = {
  key: ['colleagues'],
  list: async (search, signal) => {
    const query = { limit: choicesLimit, search }
    return (await dataOf(api.GET('/call-center/agents', { params: { query }, signal }))).data.map(asChoice)
  },
  one: async (id, signal) =>
    asChoice(await dataOf(api.GET('/call-center/agents/{id}', { params: { path: { id } }, signal }))),
}
