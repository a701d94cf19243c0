import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { workspaceQuery } from '../../../api/workspace'
import { Answered, Page } from '../../../design/page'
import { Time, moneyOf } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { CallRules } from '../components/call-rules'
import { CreditLedger } from '../components/credit-ledger'
import { LimitsList } from '../components/limits-list'
import { SectionCard } from '../../../design/section-card'
import { Spending, spendingTexts } from '../../../design/spending'
import { RecordingForm } from '../components/recording-form'
import { RetentionForm } from '../components/retention-form'
import { SettingsForm } from '../components/settings-form'
import { SigningSecretCard } from '../components/signing-secret-card'
import { workspaceTexts } from '../texts'

export function WorkspacePage() {
  const t = useTexts(workspaceTexts)
  const spending = useTexts(spendingTexts)
  // Refetch the balance with the ledger, so that both agree.
  const query = useQuery({ ...workspaceQuery, staleTime: 0 })
  return (
    <Page
      title={t('heading')}
      description={
        query.data && (
          <>
            {query.data.id} · {t('since')} <Time at={query.data.created_at} />
          </>
        )
      }
    >
      <Answered query={query} rows={12}>
        {(profile) => (
          <Stack>
            <SectionCard title={t('settings')} hint={t('settingsHint')}>
              <SettingsForm profile={profile} />
            </SectionCard>
            <SectionCard title={t('recordingSettings')} hint={t('recordingSettingsHint')}>
              <RecordingForm profile={profile} />
            </SectionCard>
            <SectionCard title={t('retention')} hint={t('retentionHint')}>
              <RetentionForm profile={profile} />
            </SectionCard>
            <SectionCard title={t('limits')} hint={t('limitsHint')}>
              <LimitsList limits={profile.limits} />
            </SectionCard>
            <SectionCard title={spending('title')} hint={spending('hint')}>
              <Spending {...profile.spending} />
            </SectionCard>
            <SectionCard title={t('calls')} hint={t('callsHint')}>
              <CallRules calls={profile.calls} />
            </SectionCard>
            <SigningSecretCard />
            <SectionCard
              title={t('credit', { amount: moneyOf(profile.credit_balance) })}
              hint={t('creditHint')}
            >
              <CreditLedger />
            </SectionCard>
          </Stack>
        )}
      </Answered>
    </Page>
  )
}
