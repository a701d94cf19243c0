/** What a new flow may begin with. */
import { Card, SimpleGrid, Text, Title, UnstyledButton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTexts } from '../../../i18n/texts'
import { beginnings } from '../beginnings'
import { type TemplateAnswers, flowTemplates } from '../model/templates'
import type { Step } from '../model/steps'
import { templateTexts } from '../texts'
import { FlowDrawing } from './flow-drawing'

/** The picture needs no real answers. */
const noAnswers: TemplateAnswers = {
  ...{ team: '', second_team: '', team_name: '', second_team_name: '', agent: '', voice_agent: '' },
  ...{ phone_number: '', hours: {}, language: 'en' },
}

const blank: readonly Step[] = [{ id: 'start', type: 'start', params: {}, next: {} }]

export function TemplateGallery() {
  const t = useTexts(templateTexts)
  return (
    <SimpleGrid
      component="ul"
      cols={{ base: 1, xs: 2, md: 3 }}
      spacing="md"
      p={0}
      m={0}
      style={{ listStyle: 'none' }}
      aria-label={t('templates')}
    >
      {beginnings.map((name) => (
        <li key={name}>
          <UnstyledButton
            component={Link}
            to={`/flows/new?template=${name}`}
            style={{ display: 'block', height: '100%' }}
          >
            <Card withBorder padding="md" h="100%">
              <Card.Section p="md" bg="var(--mantine-color-default-hover)" mb="sm">
                <FlowDrawing steps={name === 'blank' ? blank : flowTemplates[name].stepsOf(noAnswers)} />
              </Card.Section>
              <Title order={2} size="h5">
                {t(`template_${name}`)}
              </Title>
              <Text size="sm" c="dimmed">
                {t(`templateHint_${name}`)}
              </Text>
            </Card>
          </UnstyledButton>
        </li>
      ))}
    </SimpleGrid>
  )
}
