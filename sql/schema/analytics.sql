-- The labels of codes. The views that analysts read are in sql/views, one file each.

create table analytics.codes (
    kind text not null,
    code text not null,
    label text not null,
    parent_code text,
    final boolean,
    stage text check (stage in ('pending', 'accepted', 'declined', 'canceled')),
    shares boolean,
    lowest_score integer,
    highest_score integer,
    giver text check (giver in ('receiver', 'sender', 'both')),
    primary key (kind, code)
);

-- Joined as labels, never used as constraints: every enumeration of the service is open.
insert into analytics.codes (kind, code, label, giver) values
    ('activity_type', 'AT_001', 'request details', 'receiver'),
    ('activity_type', 'AT_002', 'share details', 'sender'),
    ('activity_type', 'AT_003', 'swap details', 'both'),
    ('activity_type', 'AT_004', 'authorization request', 'receiver');
insert into analytics.codes (kind, code, label, final, stage, shares) values
    ('status', 'SENT', 'sent, not answered yet', false, 'pending', false),
    ('status', 'ACTION_REQUIRED', 'received, to be answered', false, 'pending', false),
    ('status', 'ACCEPTED', 'approved in whole or in part', false, 'accepted', true),
    ('status', 'COMPLETED', 'finalised by both', true, 'accepted', true),
    ('status', 'DECLINED', 'refused', true, 'declined', false),
    ('status', 'CANCELED', 'not answered in time', true, 'canceled', false),
    ('status', 'EXPIRED', 'sharing period over', true, 'accepted', false);
-- EXCELENT: the service's documentation has both spellings.
insert into analytics.codes (kind, code, label, lowest_score, highest_score) values
    ('scoring_level', 'POOR', 'poor: 300 to 499', 300, 499),
    ('scoring_level', 'FAIR', 'fair: 500 to 649', 500, 649),
    ('scoring_level', 'GOOD', 'good: 650 to 749', 650, 749),
    ('scoring_level', 'EXCELLENT', 'excellent: 750 to 850', 750, 850),
    ('scoring_level', 'EXCELENT', 'excellent: 750 to 850', 750, 850);
insert into analytics.codes (kind, code, label, parent_code) values
    ('in_out_bound', 'IN', 'received', null),
    ('in_out_bound', 'OUT', 'sent', null),
    ('entity_type', 'INDIVIDUAL', 'individual', null),
    ('entity_type', 'BUSINESS', 'business', null),
    ('requirement_type', 'RTP_001', 'biometric face flow', null),
    ('requirement_type', 'RTP_002', 'structured values', null),
    ('requirement_type', 'RTP_003', 'images', null),
    ('requirement_type', 'RTP_004', 'values or images', null),
    ('requirement_type', 'RTP_005', 'values and images', null),
    ('category', 'RQC_001', 'identity', null),
    ('category', 'RQC_002', 'background', null),
    ('category', 'RQC_003', 'document', null),
    ('requirement', 'RQ_001', 'face authentication', null),
    ('requirement', 'RQ_002', 'identity trust', null),
    ('requirement', 'RQ_003', 'selfie', null),
    ('requirement', 'RQ_004', 'personal information', null),
    ('requirement', 'RQ_005', 'nationality', null),
    ('requirement', 'RQ_006', 'identity document', null),
    ('requirement', 'RQ_007', 'address', null),
    ('item', 'IDT_001', 'member since', 'RQ_002'),
    ('item', 'IDT_002', 'score', 'RQ_002'),
    ('item', 'IDT_003', 'score level', 'RQ_002'),
    ('item', 'IDT_004', 'verification time', 'RQ_002'),
    ('item', 'PIF_001', 'profile name', 'RQ_004'),
    ('item', 'PIF_002', 'full name', 'RQ_004'),
    ('item', 'PIF_003', 'surname', 'RQ_004'),
    ('item', 'PIF_004', 'given names', 'RQ_004'),
    ('item', 'PIF_005', 'birth date', 'RQ_004'),
    ('item', 'PIF_006', 'gender', 'RQ_004'),
    ('item', 'PIF_007', 'marital status', 'RQ_004'),
    ('item', 'IDC_001', 'front image', 'RQ_006'),
    ('item', 'IDC_002', 'back image', 'RQ_006'),
    ('item', 'IDC_003', 'document information', 'RQ_006'),
    ('time_unit', 'HOURS', 'hours', null),
    ('time_unit', 'DAYS', 'days', null);

-- Labels, stages and what is final are joined into the rows of stored views. Created last: a new warehouse has
-- nothing to refresh.
create trigger queue_everything after insert or update or delete or truncate on analytics.codes
for each statement execute function sync.queue_everything();
