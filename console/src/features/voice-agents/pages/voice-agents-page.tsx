import { Anchor, Button } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { created, time } from '../../../design/column-kinds'
import { resourcePage } from '../../../design/resource-page'
import { StateBadge } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { voiceAgentsTexts } from '../texts'

export const VoiceAgentsPage = resourcePage({
  path: '/voice-agents',
  texts: voiceAgentsTexts,
  columns: (t) => [
    {
      key: 'name',
      header: t('name'),
      sort: 'name',
      render: ({ id, name }) => (
        <Anchor component={Link} to={`/voice-agents/${id}`}>
          {name}
        </Anchor>
      ),
    },
    {
      key: 'published',
      header: t('published'),
      render: ({ published_version: version }) =>
        version === null ? (
          <StateBadge tone="warn">{t('noneIsPublished')}</StateBadge>
        ) : (
          t('version', { version })
        ),
    },
    time('updated_at', t('changed')),
    created(t('created')),
  ],
  nameOf: ({ name }) => name,
  newPage: '/voice-agents/new',
  PageActions: Providers,
  remove: { consequence: 'deleteConsequence' },
})

function Providers() {
  const t = useTexts(voiceAgentsTexts)
  return (
    <Button
      component={Link}
      to="/voice-agents/providers"
      variant="default"
      leftSection={<IconKey size={18} aria-hidden />}
    >
      {t('providers')}
    </Button>
  )
}
