import { dataOf } from '@jackfield/sdk'
import { Button, Group, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api/client'
import { useAction } from '../../../api/use-action'
import { showSecret } from '../../../design/dialogs'
import { Answered } from '../../../design/page'
import { Time } from '../../../design/values'
import { common } from '../../../i18n/common'
import { useTexts } from '../../../i18n/texts'
import { signingSecretKey, signingSecretQuery } from '../queries'
import { workspaceTexts } from '../texts'
import { SectionCard } from '../../../design/section-card'

/** The secret with which a customer's server verifies callbacks. */
export function SigningSecretCard() {
  const [t, words] = [useTexts(workspaceTexts), useTexts(common)]
  const query = useQuery(signingSecretQuery)
  const rotate = useAction({
    run: async () => dataOf(api.POST('/signing-secret/rotate')),
    changes: [signingSecretKey],
    onDone: ({ secret }) => showSecret({ title: t('newSecret'), what: t('secret'), value: secret }),
  })
  const ask = () =>
    modals.openConfirmModal({
      title: t('rotateQuestion'),
      children: <Text>{t('rotateConsequence')}</Text>,
      labels: { confirm: t('rotate'), cancel: words('cancel') },
      onConfirm: () => rotate.mutate(),
    })
  return (
    <SectionCard title={t('callbacks')} hint={t('callbacksHint')}>
      <Answered query={query} rows={1}>
        {({ created_at }) => (
          <Group justify="space-between" gap="sm">
            <Text size="sm">
              {created_at === null ? (
                t('noSecret')
              ) : (
                <>
                  {t('secretSince')} <Time at={created_at} />
                </>
              )}
            </Text>
            <Button
              variant="default"
              leftSection={<IconRefresh size={18} aria-hidden />}
              loading={rotate.isPending}
              onClick={ask}
            >
              {t('rotate')}
            </Button>
          </Group>
        )}
      </Answered>
    </SectionCard>
  )
}
