/** All that is wrong with a flow; a click leads to the step. */
import { Anchor, List, Text } from '@mantine/core'
import { useTexts } from '../../../i18n/texts'
import { editorTexts } from '../editor-texts'
import { useEditing } from './editing'

export function ProblemsPanel({ onShow }: { onShow: () => void }) {
  const t = useTexts(editorTexts)
  const { problems, edit } = useEditing()
  if (problems.length === 0) return <Text role="status">{t('sound')}</Text>
  return (
    <List listStyleType="none" spacing="sm" aria-label={t('problems')}>
      {problems.map(({ step, place, message }) => (
        <List.Item key={`${step} ${place} ${message}`}>
          {step === null ? (
            <Text fw={600} size="sm">
              {t('flowProblems')}
            </Text>
          ) : (
            <Anchor
              component="button"
              type="button"
              size="sm"
              fw={600}
              onClick={() => {
                edit({ do: 'select', id: step })
                onShow()
              }}
            >
              {step}
            </Anchor>
          )}
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {place.replace(/^params\.?/, '')} {message}
          </Text>
        </List.Item>
      ))}
    </List>
  )
}
