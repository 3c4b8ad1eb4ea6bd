"""Characters that are surely the same: two ways of writing one and the same word.

Of the simplified characters only those are here that stand for one traditional character alone, and
are no character of their own in traditional writing: of all others nobody can be sure without
reading the sentence.
"""

from __future__ import annotations

from typing import Final

_WAYS_OF_WRITING = (
    "臺台 裏裡 綫線 羣群 峯峰 牀床 啓啟 爲為 衞衛 衆眾 説說 温溫 麪麵 户戶 鷄雞 鑑鑒 囍喜 "
    "歎嘆 濶闊 嶋島 塲場 舘館 滙匯"
)
_SIMPLIFIED = (
    "亚亞 来來 侠俠 伦倫 伟偉 备備 传傳 伤傷 仅僅 亿億 优優 儿兒 两兩 则則 刚剛 创創 剧劇 "
    "刘劉 动動 劳勞 势勢 区區 协協 吴吳 员員 问問 单單 严嚴 国國 围圍 园園 圆圓 图圖 团團 "
    "报報 场場 块塊 尘塵 坛壇 压壓 梦夢 夺奪 妇婦 孙孫 学學 宫宮 实實 宁寧 审審 宽寬 宝寶 "
    "将將 寻尋 对對 导導 层層 岛島 师師 带帶 帮幫 厦廈 广廣 厅廳 张張 强強 弹彈 彻徹 恶惡 "
    "爱愛 态態 惯慣 庆慶 忆憶 怀懷 恋戀 战戰 戏戲 扬揚 换換 挥揮 择擇 扩擴 摄攝 数數 断斷 "
    "时時 晓曉 书書 会會 东東 条條 杨楊 极極 乐樂 楼樓 标標 样樣 树樹 桥橋 机機 横橫 检檢 "
    "权權 欢歡 岁歲 归歸 残殘 气氣 决決 净淨 测測 汤湯 满滿 渔漁 汉漢 洁潔 润潤 浓濃 济濟 "
    "涛濤 滨濱 湾灣 为為 乌烏 无無 烟煙 热熱 灯燈 营營 尔爾 牵牽 状狀 狮獅 奖獎 独獨 现現 "
    "玛瑪 环環 琼瓊 产產 毕畢 画畫 疗療 监監 盘盤 确確 礼禮 种種 称稱 积積 稳穩 窝窩 穷窮 "
    "竞競 笔筆 节節 简簡 纪紀 约約 红紅 纳納 纯純 纱紗 纸紙 级級 细細 终終 组組 结結 绝絕 "
    "给給 统統 丝絲 经經 绿綠 维維 纲綱 线線 县縣 总總 绩績 绘繪 续續 罗羅 义義 习習 圣聖 "
    "闻聞 联聯 声聲 职職 肃肅 脑腦 脸臉 临臨 与與 兴興 举舉 旧舊 舰艦 华華 盖蓋 蓝藍 艺藝 "
    "苏蘇 萝蘿 处處 号號 虾蝦 卫衛 补補 装裝 见見 规規 视視 亲親 觉覺 览覽 观觀 订訂 计計 "
    "讯訊 训訓 记記 访訪 设設 许許 诉訴 评評 词詞 试試 诗詩 话話 认認 诞誕 语語 诚誠 说說 "
    "课課 调調 谈談 请請 论論 讲講 谢謝 证證 识識 译譯 议議 读讀 变變 让讓 猫貓 贝貝 贵貴 "
    "买買 费費 资資 宾賓 赏賞 卖賣 赛賽 赵趙 趋趨 踪蹤 跃躍 车車 军軍 较較 轻輕 辉輝 轮輪 "
    "辑輯 输輸 转轉 农農 这這 连連 进進 运運 过過 达達 远遠 适適 选選 遗遺 还還 边邊 乡鄉 "
    "邓鄧 郑鄭 邻鄰 医醫 释釋 针針 铃鈴 银銀 铜銅 铭銘 锋鋒 钢鋼 录錄 钱錢 镜鏡 铁鐵 长長 "
    "门門 闭閉 开開 间間 关關 阴陰 陈陳 陆陸 阳陽 队隊 际際 随隨 险險 双雙 离離 难難 电電 "
    "灵靈 韩韓 响響 页頁 项項 顺順 须須 颂頌 预預 领領 头頭 频頻 题題 颜顏 类類 顾顧 显顯 "
    "风風 飞飛 饭飯 饮飲 馆館 马馬 冯馮 驾駕 骑騎 骚騷 惊驚 体體 鱼魚 鸟鳥 凤鳳 丽麗 黄黃 "
    "齐齊 龄齡 龙龍"
)

SAME_CHARACTER: Final = {
    ord(pair[0]): pair[1] for pair in f"{_WAYS_OF_WRITING} {_SIMPLIFIED}".split()
}
"""By each way of writing the one that stands for all."""
