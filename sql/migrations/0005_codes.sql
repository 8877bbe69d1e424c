-- depends: 0004_sync
-- Labels of the service's public code tables. Joined as labels, never used as constraints:
-- the service's own tables changed between two published copies.

create table analytics.codes (
    kind text not null,
    code text not null,
    label text not null,
    parent_code text,
    final boolean,
    primary key (kind, code)
);
comment on table analytics.codes is 'Labels of codes and enumerations. Codes seen but not labelled: sync.unknown_values.';
comment on column analytics.codes.kind is
    'activity_type, status, in_out_bound, entity_type, scoring_level, requirement_type, category, requirement, item or time_unit.';
comment on column analytics.codes.code is 'The code as the service sends it.';
comment on column analytics.codes.label is 'What it means, in a few words.';
comment on column analytics.codes.parent_code is 'For an item: the requirement it belongs to.';
comment on column analytics.codes.final is 'For a status: whether it ends the process (COMPLETED does, though its data are readable until expires_at).';

insert into analytics.codes (kind, code, label, parent_code, final) values
    ('activity_type', 'AT_001', 'request details', null, null),
    ('activity_type', 'AT_002', 'share details', null, null),
    ('activity_type', 'AT_003', 'swap details', null, null),
    ('activity_type', 'AT_004', 'authorization request', null, null),
    ('status', 'SENT', 'sent, not answered yet', null, false),
    ('status', 'ACTION_REQUIRED', 'received, to be answered', null, false),
    ('status', 'ACCEPTED', 'approved in whole or in part', null, false),
    ('status', 'COMPLETED', 'finalised by both', null, true),
    ('status', 'DECLINED', 'refused', null, true),
    ('status', 'CANCELED', 'not answered in time', null, true),
    ('status', 'EXPIRED', 'sharing period over', null, true),
    ('in_out_bound', 'IN', 'received', null, null),
    ('in_out_bound', 'OUT', 'sent', null, null),
    ('entity_type', 'INDIVIDUAL', 'individual', null, null),
    ('entity_type', 'BUSINESS', 'business', null, null),
    ('scoring_level', 'POOR', 'poor: 300 to 499', null, null),
    ('scoring_level', 'FAIR', 'fair: 500 to 649', null, null),
    ('scoring_level', 'GOOD', 'good: 650 to 749', null, null),
    ('scoring_level', 'EXCELLENT', 'excellent: 750 to 850', null, null),
    ('scoring_level', 'EXCELENT', 'excellent: 750 to 850', null, null),
    ('requirement_type', 'RTP_001', 'biometric face flow', null, null),
    ('requirement_type', 'RTP_002', 'structured values', null, null),
    ('requirement_type', 'RTP_003', 'images', null, null),
    ('requirement_type', 'RTP_004', 'values or images', null, null),
    ('requirement_type', 'RTP_005', 'values and images', null, null),
    ('category', 'RQC_001', 'identity', null, null),
    ('category', 'RQC_002', 'background', null, null),
    ('category', 'RQC_003', 'document', null, null),
    ('requirement', 'RQ_001', 'face authentication', null, null),
    ('requirement', 'RQ_002', 'identity trust', null, null),
    ('requirement', 'RQ_003', 'selfie', null, null),
    ('requirement', 'RQ_004', 'personal information', null, null),
    ('requirement', 'RQ_005', 'nationality', null, null),
    ('requirement', 'RQ_006', 'identity document', null, null),
    ('requirement', 'RQ_007', 'address', null, null),
    ('item', 'IDT_001', 'member since', 'RQ_002', null),
    ('item', 'IDT_002', 'score', 'RQ_002', null),
    ('item', 'IDT_003', 'score level', 'RQ_002', null),
    ('item', 'IDT_004', 'verification time', 'RQ_002', null),
    ('item', 'PIF_001', 'profile name', 'RQ_004', null),
    ('item', 'PIF_002', 'full name', 'RQ_004', null),
    ('item', 'PIF_003', 'surname', 'RQ_004', null),
    ('item', 'PIF_004', 'given names', 'RQ_004', null),
    ('item', 'PIF_005', 'birth date', 'RQ_004', null),
    ('item', 'PIF_006', 'gender', 'RQ_004', null),
    ('item', 'PIF_007', 'marital status', 'RQ_004', null),
    ('item', 'IDC_001', 'front image', 'RQ_006', null),
    ('item', 'IDC_002', 'back image', 'RQ_006', null),
    ('item', 'IDC_003', 'document information', 'RQ_006', null),
    ('time_unit', 'HOURS', 'hours', null, null),
    ('time_unit', 'DAYS', 'days', null, null);
