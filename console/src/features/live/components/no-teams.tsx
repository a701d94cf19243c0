import { Button } from '@mantine/core'
import { IconActivity } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { usePeople } from '../../../app/people'
import { EmptyState } from '../../../design/page'
import { useTexts } from '../../../i18n/texts'
import { liveTexts } from '../texts'

/** Admins see all teams: if they see none, there is none. */
export function NoTeams() {
  const t = useTexts(liveTexts)
  if (usePeople().has('admin')) {
    return (
      <EmptyState
        icon={IconActivity}
        title={t('noTeamsYet')}
        action={<Button renderRoot={(props) => <Link {...props} to="/teams" />}>{t('toTeams')}</Button>}
      >
        {t('noTeamsYetHint')}
      </EmptyState>
    )
  }
  return (
    <EmptyState icon={IconActivity} title={t('noTeams')}>
      {t('noTeamsHint')}
    </EmptyState>
  )
}
