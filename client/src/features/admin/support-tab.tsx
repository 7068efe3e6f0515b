import { AuditLog } from '#client/features/admin/audit-log.tsx';
import { ResetPasswordForm } from '#client/features/admin/reset-password-form.tsx';

/** Helps a user in again, and shows what administrators and users did (B §2, decisions §11). */
export const SupportTab = () => (
  <div className="space-y-6">
    <ResetPasswordForm />
    <AuditLog />
  </div>
);
