-- Days of which the list has just shown activities that it did not show when they were proven.
update sync.days set
    unproven = 'the list has shown activities that it did not show before; it is read again'
where day = any(%(days)s::date[]) and unproven is null
