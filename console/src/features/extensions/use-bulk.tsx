/** What can be done with several extensions at once. */
import { dataOf } from '@jackfield/sdk'
import { IconUsersGroup } from '@tabler/icons-react'
import { api } from '../../api/client'
import type { BulkAction, BulkFieldProps } from '../../design/bulk-actions'
import { Picker } from '../../design/picker'
import { common } from '../../i18n/common'
import { useTexts } from '../../i18n/texts'
import { teamChoices } from '../teams/queries'
import { type Extension, extensionsKey } from './queries'
import { extensionsTexts } from './texts'

export function useBulk(): readonly BulkAction<Extension>[] {
  const t = useTexts(extensionsTexts)
  return [
    {
      ...{ key: 'team', label: t('bulkTeam'), icon: IconUsersGroup, Field: TeamField },
      question: (count) => t('bulkTeamQuestion', { count }),
      consequence: t('bulkTeamHint'),
      run: async ({ id }, team_id) => {
        const body = { destination: 'team' as const, team_id }
        return dataOf(api.PATCH('/extensions/{id}', { params: { path: { id } }, body }))
      },
      changes: [extensionsKey],
    },
  ]
}

function TeamField(field: BulkFieldProps) {
  const words = useTexts(common)
  return <Picker label={words('team')} source={teamChoices} required data-autofocus {...field} />
}
